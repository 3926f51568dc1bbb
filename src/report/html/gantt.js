/* gantt.js - a schedule: facts, picture, table. */
"use strict";

(() => {
  const { el } = cosched;

  function addFacts(body, data) {
    const list = el("dl", { class: "facts" });
    const facts = [...data.facts];
    facts.push(data.check.total
      ? { name: "Check", value: cosched.human.units(data.check.total, "violation") }
      : { name: "Check", value: "valid" });
    for (const fact of facts)
      list.append(el("div", {}, [el("dt", { text: fact.name }),
        el("dd", { text: fact.value }, fact.detail ? el("small", { text: fact.detail }) : null)]));
    body.append(list);
    if (data.check.total)
      body.append(el("ul", { class: "notice" }, data.check.violations.map((text) => el("li", { text }))));
  }

  cosched.section("schedule", (body, data) => {
    addFacts(body, data);
  });
})();
