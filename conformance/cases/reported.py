def checks(): return []
def operations(): return []
