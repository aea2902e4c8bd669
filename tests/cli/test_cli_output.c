/* SPDX-License-Identifier: Apache-2.0 */
/* What the command spw writes: standard output and the files that it is told to write. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

TestSuite(cli_output, .init = enter_directory, .fini = leave_directory);

/* ---- Standard output ------------------------------------------------------------------------- */

Test(cli_output, output_that_cannot_be_written)
{
  static const char *const commands[] = {"check good.spw.json >/dev/full",
      "check --json bad.spw.json >/dev/full",
                                         "check good.spw.json >&-", "list rules >/dev/full",
                                             "info good.spw.json >/dev/full",
                                         "explain 5.3 >/dev/full", "--help >/dev/full",
                                             "--version >/dev/full",
                                         "check --help >/dev/full"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    expect(commands[i], 70, "err", "cannot write to standard output");
  expect("check --sarif=/dev/full good.spw.json", 70, "err", "/dev/full");
  expect("check --junit=none/x good.spw.json", 70, "err", "none/x");
  expect("check --sarif=none/x good.spw.json", 70, "err", "none/x");
  expect("check --junit=/dev/full good.spw.json", 70, "err", "/dev/full");
  expect("check --junit=/dev/full $(yes bad.spw.json | head -99)", 70, "err", "/dev/full");
}

static void pause_for(long microseconds)
{
  const struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  nanosleep(&time, NULL);
}

static bool appears(const char *file, const char *text)
{
  for (int tries = 0; tries < 500; tries++) {
    if (access(file, R_OK) == 0 && output_has(file, text)) return true;
    pause_for(20000);
  }
  return false;
}

/* A result is written when it is known: no signal can take it back. */
Test(cli_output, results_are_not_held_back)
{
  static const char *const options[] = {"check", "check --json", "info", "info --json"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    char command[256];
    cr_assert(mkfifo("fifo", 0600) == 0);
    snprintf(command, sizeof command,
             "exec \"$SPW_PROGRAM\" %s good.spw.json fifo good.spw.json >late", options[i]);
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command, (char *)NULL);
      _exit(127);
    }
    const bool written = appears("late", "good.spw.json");
    int status;
    cr_assert(kill(child, SIGTERM) == 0 && waitpid(child, &status, 0) == child);
    cr_assert(written, "%s: nothing in ten seconds", options[i]);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "status %d", status);
    const char *text = read_text("late");
    cr_assert(text[strlen(text) - 1] == '\n', "torn: %s", text);
    cr_assert(remove("fifo") == 0 && remove("late") == 0);
  }
}

Test(cli_output, a_reader_that_goes_away)
{
  cr_assert(
      system(
          "(trap '' PIPE; sleep 0.5; \"$SPW_PROGRAM\" check good.spw.json; echo $? >status) 2>err"
          " | true") == 0);
  cr_assert(output_has("status", "70") && output_has("err", "standard output: Broken pipe"));
  cr_assert(system("(\"$SPW_PROGRAM\" check --json --sarif=s $(yes good.spw.json | head -999);"
                   " echo $? >status) 2>err | head -1 >out") == 0);
  cr_assert(output_has("status", "141") && !read_text("err")[0]); /* as every filter */
  cr_assert(access("s", F_OK) != 0);
}

/* The place of a closed stream is not taken by a file. */
Test(cli_output, closed_streams)
{
  expect("check --sarif=s bad.spw.json >&-", 70, "err", "standard output: Bad file descriptor");
  cr_assert(!output_has("s", "bad.spw.json: invalid"), "%s", read_text("s"));
  expect("check --sarif=s bad.spw.json 2>&- >&- <&-", 70, "err", "");
  cr_assert(!output_has("s", "bad.spw.json: invalid"), "%s", read_text("s"));
  json_t *log = json_loads(read_text("s"), 0, NULL);
  cr_assert(log != NULL, "%s", read_text("s"));
  json_decref(log);
  expect("check missing 2>&-", 3, "out", "No such file");
  expect("check - <&-", 3, "out", "-: unreadable");
  expect("check - bad.spw.json <&-", 3, "out", "bad.spw.json: invalid");
}

/* ---- Files that are written ------------------------------------------------------------------ */

/* Temporary files that were left behind. */
static int temporaries(void)
{
  DIR *here = opendir(".");
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(here)) != NULL;)
    count += strncmp(entry->d_name, ".spw", 4) == 0;
  closedir(here);
  return count;
}

static void expect_unchanged(const char *file, const char *text)
{
  cr_assert_str_eq(read_text(file), text, "%s: %s", file, read_text(file));
  cr_assert(temporaries() == 0);
}

#define OLD "the old report\n"

Test(cli_output, an_input_is_not_overwritten)
{
  static const char *const refused[] = {"--sarif=good.spw.json good.spw.json",
                                        "--junit=./good.spw.json good.spw.json",
                                        "--junit=link bad.spw.json good.spw.json",
                                        "--sarif=good.spw.json link",
                                        "--sarif=hard good.spw.json",
                                        "--sarif=chain good.spw.json",
                                        "--sarif=good.spw.json -r .",
                                        "--sarif=d/../good.spw.json good.spw.json",
                                        "--sarif=good.spw.json - <good.spw.json",
                                        "--sarif=good.spw.json bad.spw.json >>good.spw.json",
                                        "--sarif=good.spw.json bad.spw.json 2>>good.spw.json"};
  char before[1024];
  snprintf(before, sizeof before, "%s", read_text("good.spw.json"));
  cr_assert(system("ln -s good.spw.json link; ln good.spw.json hard; mkdir d;"
                   " ln -s \"$PWD/d/../link\" chain") == 0);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, "check %s", refused[i]);
    cr_assert(spw(arguments) == 2, "spw %s: %s", arguments, read_text("err"));
    if (strstr(refused[i], "2>>")) /* the message goes there */
      cr_assert(strncmp(read_text("good.spw.json"), before, strlen(before)) == 0);
    else
      expect_unchanged("good.spw.json", before);
  }
  cr_assert(temporaries() == 0);
}

Test(cli_output, two_reports_are_two_files)
{
  static const char *const refused[] = {"--sarif=s --junit=s", "--sarif=s --junit=./s",
      "--sarif=old --junit=link", "--sarif=- --junit=-", "--sarif=d/s --junit=d/../d/s"};
  write_text("old", OLD);
  cr_assert(system("ln -s old link; mkdir d") == 0);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, "check %s good.spw.json", refused[i]);
    expect(arguments, 2, "err", "--sarif and --junit are the same file");
  }
  expect("check --sarif=a --sarif=b good.spw.json", 2, "err", "--sarif is given twice");
  expect("check --junit=a --junit=a good.spw.json", 2, "err", "--junit is given twice");
  expect("check --level=shape -r --level=shape good.spw.json", 2, "err", "--level is given twice");
  expect("check -q --quiet -qq good.spw.json", 0, "err", "");
  expect("restructure --indices= --indices=1 --dim=0 index_select good.spw.json", 2, "err", "--indices is given twice");
  expect("check --sarif=- --json good.spw.json", 2, "err", "cannot both go to standard output");
  expect_unchanged("old", OLD);
  expect("check --sarif=d/s --junit=s good.spw.json", 0, "out", "valid");
  cr_assert(output_has("d/s", "2.1.0") && output_has("s", "testsuite"));
}

Test(cli_output, a_report_on_standard_output)
{
  expect("check --sarif=- --junit=report.xml bad.spw.json good.spw.json", 1, "out", "5.3");
  json_t *log = json_loads(read_text("out"), 0, NULL);
  cr_assert(log != NULL, "more than a log: %s", read_text("out"));
  json_decref(log);
  cr_assert(output_has("report.xml", "testsuite"));
  expect("check --sarif=log --junit=- bad.spw.json", 1, "out", "</testsuites>");
  cr_assert(output_has("log", "2.1.0"));
  expect("check --junit=- bad.spw.json", 1, "out", "<?xml");
  cr_assert(is_well_formed(read_text("out")), "%s", read_text("out"));
  expect("check --junit=- bad.spw.json >/dev/full", 70, "err", "No space left");
}

/* What is no file is written to and stays what it is. */
Test(cli_output, devices_and_pipes)
{
  cr_assert(
      system("mkfifo fifo; cat fifo >copy & \"$SPW_PROGRAM\" check -q --junit=fifo good.spw.json;"
             " wait; test -p fifo") == 0);
  cr_assert(output_has("copy", "</testsuites>"));
  expect("check -q --junit=/dev/stdout good.spw.json | cat", 0, "out", "</testsuites>");
  cr_assert(system("ln -s /dev/full full") == 0);
  expect("check --junit=full good.spw.json", 70, "err", "cannot write full: No space left");
  cr_assert(system("test -c /dev/full && test -h full") == 0 && temporaries() == 0);
}

/* What cannot be opened though it could be written. */
Test(cli_output, a_socket)
{
  const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
  const int made = socket(AF_UNIX, SOCK_STREAM, 0);
  cr_assert(made >= 0 && bind(made, (const struct sockaddr *)&address, sizeof address) == 0);
  expect("check --junit=socket good.spw.json", 70, "err", "cannot write socket: ");
  cr_assert(close(made) == 0 && temporaries() == 0);
}

/* A file of the temporary's name, which a killed process has left: the shell knows the number. */
Test(cli_output, leftovers_of_others)
{
  write_text("report", OLD);
  cr_assert(system("sh -c 'touch .spw-$$-0.tmp; exec \"$SPW_PROGRAM\" check -q --sarif=report"
                   " good.spw.json'") == 0);
  cr_assert(output_has("report", "2.1.0") && temporaries() == 1);
  write_text("report", OLD);
  cr_assert(system("sh -c 'for i in $(seq 0 99); do touch .spw-$$-$i.tmp; done; exec 2>err;"
                   " exec \"$SPW_PROGRAM\" check -q --sarif=report good.spw.json'") == 70 << 8);
  cr_assert(output_has("err", "cannot write report: File exists") && temporaries() == 101);
  cr_assert_str_eq(read_text("report"), OLD);
}

static mode_t mode_of(const char *path)
{
  struct stat file;
  cr_assert(lstat(path, &file) == 0, "no %s", path);
  return file.st_mode & 07777;
}

Test(cli_output, who_may_read_a_report)
{
  umask(027);
  cr_assert(spw("check --sarif=new good.spw.json") == 0 && mode_of("new") == 0640);
  umask(022);
  cr_assert(spw("check --sarif=new2 good.spw.json") == 0 && mode_of("new2") == 0644);
  write_text("secret", OLD);
  cr_assert(chmod("secret", 0600) == 0);
  cr_assert(spw("check --sarif=secret good.spw.json") == 0 && mode_of("secret") == 0600);
  cr_assert(system("ln -s secret link") == 0);
  cr_assert(spw("check --junit=link good.spw.json") == 0 && output_has("secret", "testsuite"));
  struct stat link;
  cr_assert(lstat("link", &link) == 0 && S_ISLNK(link.st_mode), "the link was replaced");
  cr_assert(temporaries() == 0);
}

/* From now on the command is run by somebody who may not write everywhere, as root may. */
static bool run_as_another(void)
{
  if (geteuid() != 0) return true;
  cr_assert(chmod(".", 0777) == 0);
  cr_assert(system("cp \"$SPW_PROGRAM\" spw && chmod 755 spw && chmod 644 good.spw.json") == 0);
  write_text("another", "#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups ./spw \"$@\"\n");
  cr_assert(chmod("another", 0755) == 0);
  setenv("SPW_PROGRAM", "./another", 1);
  return system("./another check good.spw.json >out 2>err") == 0;
}

/* Before any work is done. */
Test(cli_output, places_where_no_file_can_be)
{
  static const char *const places[] = {"none/x",          "d", "d/",  "dangling",
                                       "good.spw.json/x", "",  "new/"};
  cr_assert(system("mkdir d; ln -s nowhere dangling") == 0);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char arguments[256], says[256];
    snprintf(arguments, sizeof arguments, "check --sarif='%s' bad.spw.json", places[i]);
    snprintf(says, sizeof says, "spw check: cannot write %s: ", places[i]);
    expect(arguments, 70, "err", says);
    cr_assert(read_text("out")[0] == 0, "%s: checked before: %s", places[i], read_text("out"));
  }
  cr_assert(access("nowhere", F_OK) != 0 && temporaries() == 0);
  if (!run_as_another()) {
    puts("skipped: files that may not be written, for root may, and nobody else can run the command here");
    return;
  }
  write_text("kept", OLD);
  cr_assert(chmod("kept", 0444) == 0);
  expect("check --sarif=kept good.spw.json", 70, "err", "Permission denied");
  cr_assert(chmod("d", 0555) == 0);
  expect("check --sarif=d/x good.spw.json", 70, "err", "Permission denied");
  expect_unchanged("kept", OLD);
}

/* A limit, a full disk: the old report survives, half of a new one is never there. */
Test(cli_output, the_old_report_survives)
{
  write_text("report", OLD);
  expect("check --sarif=report good.spw.json; exit $?", 0, "out", "valid");
  write_text("report", OLD);
  cr_assert(
      system(
          "(ulimit -f 400; \"$SPW_PROGRAM\" check --sarif=report $(yes bad.spw.json | head -2000)"
          " >/dev/null 2>err; echo $? >status)") == 0);
  cr_assert(output_has("status", "70"), "%s", read_text("status"));
  cr_assert(output_has("err", "cannot write report: File too large"), "%s", read_text("err"));
  expect_unchanged("report", OLD);
  cr_assert(
      system("(ulimit -f 400; \"$SPW_PROGRAM\" check $(yes bad.spw.json | head -2000) >big 2>err;"
             " echo $? >status)") == 0);
  cr_assert(output_has("status", "70"), "%s", read_text("status"));
  cr_assert(output_has("err", "standard output: File too large"), "%s", read_text("err"));
  char far[4000 + sizeof "good.spw.json"], command[sizeof far + 100]; /* a line that is longer than what a stream holds back */
  for (int i = 0; i < 4000; i++) far[i] = i % 2 ? '/' : '.';
  strcpy(far + 4000, "good.spw.json");
  snprintf(command, sizeof command, "\"$SPW_PROGRAM\" check --json %s >/dev/full 2>err; echo $? >status", far);
  cr_assert(system(command) == 0);
  cr_assert(output_has("status", "70"), "%s", read_text("status"));
  cr_assert(output_has("err", "standard output: No space left on device"), "%s", read_text("err"));
  write_text("wide.spw.json", csr("[1, 99999]", 1, "0, 1", 1, "0"));
  cr_assert(system("(ulimit -f 40; \"$SPW_PROGRAM\" convert --to=dense wide.spw.json - >big 2>err; echo $? >status)") == 0);
  cr_assert(output_has("status", "70"), "%s", read_text("status"));
  cr_assert(output_has("err", "standard output: File too large"), "%s", read_text("err"));
}

/* A signal that is ignored is ignored while a file is written, too. */
Test(cli_output, an_ignored_signal)
{
  cr_assert(system("trap '' TERM; \"$SPW_PROGRAM\" check -q --sarif=report"
                   " $(yes bad.spw.json | head -999) >out & pid=$!;"
                   " while kill $pid; do :; done 2>err; wait $pid") == 1 << 8);
  cr_assert(output_has("report", "2.1.0"));
}

/* Begins to write a report of some megabytes, and is stopped once its temporary file is there. */
static bool stop_while_writing(void)
{
  char name[64];
  int status;
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout)) _exit(126);
    execl(getenv("SPW_PROGRAM"), "spw", "check", "--sarif=report", "x.spw.jsonl", (char *)NULL);
    _exit(127);
  }
  snprintf(name, sizeof name, ".spw-%ld-0.tmp", (long)child);
  while (access(name, F_OK) != 0 && waitpid(child, &status, WNOHANG) == 0) continue;
  kill(child, SIGTERM);
  if (waitpid(child, &status, 0) != child) return false; /* it had ended before */
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
}

Test(cli_output, a_signal_while_writing)
{
  int stopped = 0;
  cr_assert(system("yes x | head -25000 >x.spw.jsonl") == 0);
  for (int tries = 0; tries < 20 && stopped < 3; tries++) {
    write_text("report", OLD);
    if (!stop_while_writing()) continue;
    cr_assert(temporaries() == 0, "a file is left behind");
    const bool is_old = strcmp(read_text("report"), OLD) == 0;
    cr_assert(is_old || system("tail -n 1 report | grep -qx '}'") == 0, "torn");
    stopped += is_old;
  }
  cr_assert(stopped == 3, "stopped %d times", stopped);
}

/* ---- Names on a terminal --------------------------------------------------------------------- */

/* What could move the cursor, or turn the text around it, reaches no report as it is. */
Test(cli_output, no_report_moves_the_cursor)
{
  static const struct { const char *name, *human, *json, *xml; } names[] = {
      {"\xc2\x9b", "\\u009b", "\\u009b", "&#x9b;"},
      {"\x7f", "\\x7f", "\\u007f", "&#x7f;"},
      {"\x1b", "\\x1b", "\\u001B", "\xef\xbf\xbd"},
      {"\n", "\\n", "\\n", "&#xa;"},
      {"\r", "\\x0d", "\\r", "&#xd;"},
      {"\xe2\x80\xae", "\\u202e", "\\u202e", "&#x202e;"},
      {"\xd8\x9c", "\\u061c", "\\u061c", "&#x61c;"},
      {"\xef\xbb\xbf", "\\ufeff", "\\ufeff", "&#xfeff;"},
      {"\xf3\xa0\x81\x81", "\\U000e0041", "\\udb40\\udc41", "&#xe0041;"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char file[64], quoted[64];
    snprintf(file, sizeof file, "x%sy.spw.json", names[i].name);
    write_text(file, "{");
    static const char *const commands[] = {"check x*", "check --json x*", "check --junit=- x*",
        "check --sarif=- x*", "info --json x*", "info x*", "check \"--sarif=$(echo x*)\" x*"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
      cr_assert(spw(commands[k]) >= 2);
      const bool raw = names[i].name[0] != '\n'
                       && (output_has("out", names[i].name) || output_has("err", names[i].name));
      cr_assert(!raw, "%s: %s: %s", file, commands[k], read_text("out"));
    }
    snprintf(quoted, sizeof quoted, "\"x%sy.spw.json\"", names[i].json);
    expect("check --json x*", 3, "out", quoted);
    expect("check x*", 3, "out", names[i].human);
    expect("check --junit=- x*", 3, "out", names[i].xml);
    spw("check --json x*");
    json_t *line = json_loads(read_text("out"), 0, NULL);
    cr_assert(line != NULL, "%s", read_text("out"));
    cr_assert_str_eq(json_string_value(json_object_get(line, "file")), file);
    json_decref(line);
    cr_assert(remove(file) == 0);
  }
}
