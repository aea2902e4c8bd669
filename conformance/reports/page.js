"use strict";
const PAGE = 100;
const UNSAFE = ["too lax (out of bounds)", "too lax (heap check)", "too lax (crash)", "crash", "sanitizer", "timeout"];
const element = id => document.getElementById(id);
let data, rows = [], shown = [], visible = 0;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function make(tag, text, className) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
}

function kindOf(outcome) {
  return outcome === "right" ? "right" : UNSAFE.includes(outcome) ? "unsafe" : "wrong";
}

function collect() {
  for (const library of data.libraries)
    for (const item of data.cases) {
      const found = library.results[item.id];
      if (found) rows.push({library, item, outcome: data.outcomes[found[0]], said: found[1]});
    }
}

function fits(row, text, library, group, outcome) {
  return (!library || row.library.profile === library) && (!group || row.item.group === group)
    && (!outcome || row.outcome === outcome || (outcome === "wrong" && row.outcome !== "right"))
    && (!text || (row.library.profile + "/" + row.item.id).includes(text)
        || (row.said.message || "").toLowerCase().includes(text.toLowerCase())
        || row.item.flags.includes(text) || (row.item.source || "").includes(text));
}

function show() {
  const [text, library, group, outcome] = ["text", "library", "group", "outcome"].map(id => element(id).value.trim());
  shown = rows.filter(row => fits(row, text, library, group, outcome));
  visible = 0;
  element("list").replaceChildren();
  element("count").textContent = shown.length + " of " + rows.length + " answers";
  more();
}

function more() {
  for (const row of shown.slice(visible, visible + PAGE)) element("list").append(entry(row));
  visible = Math.min(visible + PAGE, shown.length);
  element("more").hidden = visible >= shown.length;
}

function entry(row) {
  const box = make("details", undefined, "item"), head = make("summary");
  head.append(make("span", row.outcome, kindOf(row.outcome)), " " + row.library.profile + " ",
              make("code", row.item.id), make("small", row.said.message || ""));
  box.append(head);
  box.addEventListener("toggle", () => { if (box.open && box.children.length === 1) box.append(body(row)); });
  return box;
}

function body(row) {
  const box = make("div"), item = row.item, expect = {...item.expect};
  const part = (title, text) => { if (text) box.append(make("h3", title), make("pre", text)); };
  if (item.comment || item.source)
    box.append(make("p", [item.comment, item.source && "(" + item.source + ")"].filter(Boolean).join(" ")));
  part("input of " + item.operation, [operand(item), ...Object.entries(item.arguments || {}).map(
    ([name, value]) => name + ": " + (value.layout ? tensorText(value) : arrayText(value)))].join("\n"));
  part("expected", [expect.verdict === "valid" ? "accept" : "reject", expect.rules && "rules: " + expect.rules.join(" "),
    expect.layout && "layout " + expect.layout, expect.dense && "means " + arrayText(expect.dense)].filter(Boolean).join("\n"));
  const result = row.said.result;
  part("got", [row.outcome, row.said.dtype && "asked with values of type " + row.said.dtype, row.said.verdict, row.said.message, row.said.rules && "rules: " + row.said.rules.join(" "),
    result && result.dense && arrayText(result.dense),
    result && result.tensor && tensorText(result.tensor) + "\nclaims: " + JSON.stringify(result.claims || {})].filter(Boolean).join("\n"));
  if (item.flags.length) part("flags", item.flags.join(" "));
  part("reproduction (" + (row.library.recipe || {}).language + ")", program(row));
  return box;
}

function operand(item) {
  if (item.tensor) return tensorText(item.tensor);
  if (item.dense) return arrayText(item.dense);
  const bytes = atob(item.file.base64);
  return item.file.format + "\n" + (item.file.format === "mtx" ? bytes : item.file.base64);
}

function tensorText(tensor) {
  const names = Object.keys(tensor).filter(name => tensor[name] !== null && typeof tensor[name] === "object" && name !== "size");
  const plain = Object.keys(tensor).filter(name => name !== "spw" && !names.includes(name));
  return plain.map(name => name + ": " + JSON.stringify(tensor[name]))
    .concat(names.map(name => name + ": " + arrayText(tensor[name]))).join("\n");
}

function arrayText(member) {
  if (member === null || typeof member !== "object" || !member.dtype) return JSON.stringify(member);
  const data = member.data ? JSON.stringify(member.data).slice(0, 2000) : member.length + " times " + member.fill;
  const more = ["strides", "offset"].filter(name => name in member).map(name => ", " + name + " " + JSON.stringify(member[name]));
  return member.dtype + " " + JSON.stringify(member.shape) + more.join("") + "  " + data;
}

/* The same as reports/reproduce.py does. */
function program(row) {
  const recipe = row.library.recipe, item = row.item;
  if (!recipe) return "";
  const layout = item.tensor ? item.tensor.layout : (item.arguments || {}).to || "file";
  const key = [item.operation + "/" + layout, item.operation + "/*",
    ...(item.operation === "check" ? ["*/" + layout, "*"] : [])].find(name => name in recipe.body);
  if (!key) return "";
  return [recipe.head, data.operands[recipe.language][item.id], recipe.body[key]].filter(Boolean).join("\n") + "\n";
}

function fill(select, names) {
  for (const name of names) element(select).append(make("option", name));
}

function followHash() {
  const name = decodeURIComponent(location.hash.slice(1));
  if (!name.includes("/")) return;
  const parts = name.split("/");
  choose({text: name, library: parts[0], group: "", outcome: ""});
  const first = element("list").firstElementChild;
  if (first) first.open = true;
}

function choose(values) {
  for (const [id, value] of Object.entries(values)) element(id).value = value;
  show();
  element("cases").scrollIntoView();
}

async function main() {
  data = await unpack(element("data").textContent);
  collect();
  fill("library", data.libraries.map(library => library.profile));
  fill("group", [...new Set(data.cases.map(item => item.group))]);
  fill("outcome", data.outcomes.filter(outcome => outcome !== "unsupported"));
  element("filter").addEventListener("input", show);
  element("filter").addEventListener("submit", event => event.preventDefault());
  element("more").addEventListener("click", more);
  for (const button of document.querySelectorAll(".matrix button"))
    button.addEventListener("click", () => choose({text: "", library: button.dataset.library,
      group: button.dataset.group, outcome: button.parentNode.className === "right" ? "" : "wrong"}));
  addEventListener("hashchange", followHash);
  show();
  followHash();
  document.body.dataset.ready = "yes";
}

main().catch(error => { element("count").textContent = "The cases cannot be shown: " + error; });
