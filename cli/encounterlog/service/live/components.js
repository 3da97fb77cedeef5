/*
 * Components: functions from what is known to what is shown, drawn by Preact (htm instead of JSX). None of them looks at the page,
 * so that they are tested without one. What a game master or a player does is given to them as functions.
 */

/** A number with its sign: +4, −1. */
const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);

/** A name, which moves nothing else whatever script it is in. */
const Name = ({ of }) => html`<bdi>${of}</bdi>`;

/** A bar of hit points. */
const Bar = ({ hp, most, nld = 0 }) => {
  const part = (number) => `${Math.max(0, Math.min(100, (100 * number) / Math.max(most || hp, 1)))}%`;
  const low = most && hp <= most / 4 ? " low" : most && hp <= most / 2 ? " half" : "";
  return html`<span class=${`bar${low}`} aria-hidden="true"><span class="full" style=${{ width: part(hp) }}></span><span class="nld" style=${{ width: part(Math.min(hp, nld)) }}></span></span>`;
};

/** A value that says why it is so when it is touched. */
const Value = ({ address, says, why: because }) => because
  ? html`<button type="button" class="value" data-address=${address} aria-haspopup="true" onClick=${(event) => because(address, event.currentTarget)}><${Name} of=${says} /></button>`
  : html`<span class="value" data-address=${address}><${Name} of=${says} /></span>`;

/** The hit points of the chosen one, large. */
const Points = ({ one, why: because }) => {
  if (one.word) return html`<p class="points large"><span class=${`word ${one.word}`}>${one.word}</span></p>`;
  if (typeof one.hp === "string") return html`<p class="points large word"><${Value} address=${`${one.id}.hp`} says=${one.hp} why=${because} /></p>`;
  if (one.hp === null || one.hp === undefined) return html`<p class="points quiet">hit points unknown</p>`;
  return html`<p class="points large"><${Value} address=${`${one.id}.hp`} says=${String(one.hp)} why=${because} />${one.most !== undefined && html`<small> / <${Value} address=${`${one.id}.hp_max`} says=${String(one.most)} why=${because} /></small>`}${one.temp ? html` <small>+<${Value} address=${`${one.id}.temp`} says=${String(one.temp)} why=${because} /> temporary</small>` : ""}${one.nld ? html` <small><${Value} address=${`${one.id}.nld`} says=${String(one.nld)} why=${because} /> non-lethal</small>` : ""}<${Bar} hp=${one.hp} most=${one.most} nld=${one.nld} /></p>`;
};

/** The other values of the chosen combatant: status, conditions, concentration, effects, and those that only its game has. */
const Standing = ({ one, why: because, ends }) => html`<div class="chips">
  ${one.status !== "up" && html`<span class="chip not-up"><${Value} address=${`${one.id}.status`} says=${one.status} why=${because} /></span>`}
  ${one.conditions.map(({ name, says }) => html`<span class="chip" key=${name}><${Value} address=${`${one.id}.conditions`} says=${says} why=${because} />${ends && html`<button type="button" class="end" aria-label=${`${name} ends`} title=${`${name} ends`} onClick=${() => ends(name)}>×</button>`}</span>`)}
  ${one.concentration && html`<span class="chip hold">concentrates on <${Value} address=${`${one.id}.concentration`} says=${one.concentration} why=${because} /></span>`}
  ${one.casting && html`<span class="chip">casting <${Value} address=${`${one.id}.casting`} says=${one.casting} why=${because} /></span>`}
  ${one.effects && html`<span class="chip"><${Value} address=${`${one.id}.effects`} says=${one.effects} why=${because} /></span>`}
  ${one.others.map(({ field, says, address }) => html`<span class="chip quiet" key=${address}>${field} <${Value} address=${address} says=${says} why=${because} /></span>`)}
</div>`;

/** The damage of an attack or a spell: 1d6+2 slashing + 2d6 fire. */
const damageWords = (damage) => damage.map(({ dice, type }) => [dice, type].filter(Boolean).join(" ")).join(" + ");

/** The effect of an attack, an action or a spell, in few words. */
function deedWords(deed) {
  const save = deed.save && `${deed.save.ability} save${deed.save.dc === undefined || deed.save.dc === null ? "" : ` ${deed.save.dc}`}`;
  return [deed.attack && typeof deed.hit === "number" ? signed(deed.hit) : "", save, damageWords(deed.damage), deed.often].filter(Boolean).join(", ");
}

/** What a deed is called on its button. */
const titleOf = ({ label, name }) => label ?? name;

/** Attacks and spells as buttons. */
const Deeds = ({ deeds, chosen, choose }) => deeds.length ? html`<div class="deeds" role="group" aria-label="Attacks and spells">
  ${deeds.map((deed) => html`<button type="button" class="deed" key=${titleOf(deed)} aria-pressed=${String(Boolean(chosen) && titleOf(deed) === titleOf(chosen))} onClick=${() => choose(deed)}><b>${titleOf(deed)}</b> <span>${deedWords(deed)}</span></button>`)}
</div>` : "";

/** What is still asked about rolls that were left: each question leads back to its answers, or is dropped. */
const Left = ({ left, does }) => left.map((blow) => html`<div class="left" key=${blow.open.says}><button type="button" class="deed" onClick=${() => does.resume(blow)}>${blow.open.says}</button><button type="button" class="end" aria-label=${`drop: ${blow.open.says}`} onClick=${() => does.forget(blow)}>×</button></div>`);

/** An attack, an action or a spell in progress: its targets, and its outcome, rolled here or typed. */
const Blow = ({ blow, targets, saves = [], leans = [], does }) => {
  const { deed, on, saved, die, amount, open } = blow;
  const typing = (name) => (event) => does.type(name, event.target.value);
  const knows = (name) => (event) => does.know(name, event.target.value);
  const enters = (event) => event.key === "Enter" && (event.preventDefault(), does.record());
  if (open) {
    const misses = !open.hit && html` <button type="button" disabled=${blow.busy} onClick=${() => does.answer(false)}>It misses</button>`;
    return html`<div class="blow" role="group" aria-label=${titleOf(deed)}><p>${open.says}</p><div class="row"><button type="button" class="main" disabled=${blow.busy} onClick=${() => does.answer(true)}>${open.hit ? "Roll damage" : "It hits: roll damage"}</button> or type${" "}
      <label>damage <input class="short" inputmode="numeric" maxlength="5" value=${amount} onInput=${typing("amount")} onKeyDown=${enters} /></label> <button type="button" onClick=${does.record} disabled=${blow.busy}>Record</button>${misses}</div></div>`;
  }
  const buttons = targets.map(({ id, name, ac }) => html`<button type="button" key=${id} data-target=${id} aria-pressed=${String(on.has(id))} onClick=${() => does.aim(id)}><${Name} of=${name} />${deed.attack && typeof ac === "number" ? html` <small>AC ${ac}</small>` : ""}</button>`);
  const halves = !deed.attack && deed.save && [...on].map((id) => html`<label key=${id}><input type="checkbox" checked=${saved.has(id)} onChange=${() => does.save(id)} /> <${Name} of=${targets.find((each) => each.id === id)?.name ?? id} /> saves</label>`);
  return html`<div class="blow" role="group" aria-label=${titleOf(deed)}>
    <p><b>${titleOf(deed)}</b>: at whom? <button type="button" class="end" onClick=${does.leave} aria-label=${`not ${titleOf(deed)}`}>×</button></p>
    <div class="targets">${buttons}</div>
    ${deed.unknown && html`<div class="row">${deed.attack ? html`<label>bonus to hit <input class="short" maxlength="4" placeholder="+5" onInput=${knows("hit")} /></label>` : html`<label>name <input class="middle" maxlength="60" placeholder="web" onInput=${knows("name")} /></label>
      ${saves.length > 0 && html`<label>save <select onChange=${knows("ability")}><option value="">none</option>${saves.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select></label>`}
      ${deed.save && html`<label>needed <input class="short" inputmode="numeric" maxlength="3" placeholder="13" onInput=${knows("dc")} /></label> <label>a save leaves <select onChange=${knows("success")}><option value="half">half</option><option value="none">nothing</option></select></label>`}`} <label>damage dice <input class="short" maxlength="20" placeholder="1d8+3" onInput=${knows("damage")} /></label></div>`}
    ${leans.length > 0 && html`<div class="halves">${leans.map(([id, word, says]) => html`<label key=${id}><${Name} of=${targets.find((each) => each.id === id)?.name ?? id} /> <select data-lean=${id} value=${word} onChange=${(event) => does.choose(id, event.target.value)}>${["neither", "advantage", "disadvantage"].map((each) => html`<option key=${each} value=${each}>${each === "neither" ? "straight" : each}</option>`)}</select> <small class="quiet">${says}</small></label>`)}</div>`}
    ${on.size > 0 && html`<div class="row"><button type="button" class="main" id="roll-here" onClick=${does.roll} disabled=${blow.busy}>Roll here</button> or type${" "}
      ${deed.attack && html`<label>d20 <input class="short" inputmode="numeric" maxlength="3" value=${die} onInput=${typing("die")} onKeyDown=${enters} /></label>`}
      <label>damage <input class="short" inputmode="numeric" maxlength="5" value=${amount} onInput=${typing("amount")} onKeyDown=${enters} /></label>
      <button type="button" onClick=${does.record} disabled=${blow.busy}>Record</button></div>`}
    ${halves && html`<div class="halves">${halves}</div>`}
  </div>`;
};

/** The acts that a combatant may do now; barred ones, with their rules, are folded away. */
const May = ({ may }) => {
  const open = may.filter(({ status, kind }) => status === "owed" || (status === "open" && kind !== "turn"));
  const barred = may.filter(({ status }) => status === "barred");
  if (!open.length && !barred.length) return "";
  return html`<div class="may"><h3>May do now</h3>
    ${open.length ? html`<ul class="open">${open.map((each) => html`<li class=${each.status} key=${each.says} title=${each.says}>${each.kind === "resource" && typeof each.left === "number" ? `${each.what} ${each.left}` : each.says}</li>`)}</ul>` : html`<p class="quiet">Nothing is open.</p>`}
    ${barred.length ? html`<details><summary>Barred acts, and the reasons</summary><ul>${barred.map((each) => html`<li key=${each.says}>${each.says}${each.rules.map(({ id, says }) => html` <span class="rule" key=${id}><code>${id}</code> ${says}</span>`)}</li>`)}</ul></details>` : ""}
  </div>`;
};

/** The first steps of a fight: the ones that are done, and the next one. */
const Start = ({ steps, does }) => html`<div class="start"><h2>First steps</h2><ol>
  ${steps.map(({ name, says, done, now, button }) => html`<li key=${name} class=${done ? "done" : now ? "now" : ""}><span class="tick" aria-hidden="true">${done ? "✓" : now ? "▸" : "·"}</span> <b>${says}</b> <span class="quiet">${done}</span> ${button ? html`<button type="button" class=${now ? "main" : ""} data-start=${name} onClick=${() => does(name)}>${button}</button>` : ""}</li>`)}
</ol></div>`;

/** Monsters whose names begin so; a click adds one, or as many as are wanted. */
const Search = ({ typed, count, side, sides, secret, found, nothing, does }) => html`<div class="search">
  <div class="row"><label>monster <input id="search" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="60" value=${typed} placeholder="gob" onInput=${(event) => does.type(event.target.value)} onKeyDown=${(event) => event.key === "Enter" && (event.preventDefault(), found.length && does.add(found[0]))} /></label>
  <label>how many <input id="how-many" class="short" inputmode="numeric" maxlength="2" value=${count} onInput=${(event) => does.count(event.target.value)} /></label>
  <label>on the side of <select id="monster-side" value=${side} onChange=${(event) => does.side(event.target.value)}>${(sides ?? [side]).map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select></label>
  <label title="Players are not told"><input id="monster-secret" type="checkbox" checked=${secret} onChange=${does.hide} /> secret</label></div>
  <ul class="hits" aria-label="Monsters">${found.map((one) => html`<li key=${one.id}><button type="button" class="hit" data-monster=${one.id} onClick=${() => does.add(one)}><b>${one.name}</b> <span>${one.hp} hp, AC ${one.ac}, CR ${one.cr}</span></button></li>`)}</ul>
  <p role="status" class="quiet">${nothing ? "No monster of the list has a name that begins so; it joins below, by its name and its hit points." : ""}</p>
</div>`;

/** The effects of the keys. */
const Keys = ({ keys }) => html`<h2 id="dialog-title">Keys</h2><table class="keys"><tbody>${keys.map(([key, says]) => html`<tr key=${key}><th scope="row"><kbd>${key}</kbd></th><td>${says}</td></tr>`)}</tbody></table>`;

/** The possible actions, by their words, and a line as it is typed; the keyboard stays in the field. */
const Palette = ({ typed, found, at, says, does }) => html`<h2 id="dialog-title">Commands</h2>
  <input id="command" role="combobox" aria-label="A command, or a line" aria-expanded=${String(found.length > 0)} aria-controls="commands" aria-activedescendant=${found.length ? `command-${at}` : undefined} aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="2000" value=${typed} onInput=${(event) => does.type(event.target.value)} onKeyDown=${does.press} />
  <ul id="commands" role="listbox" aria-label="Commands">${found.map(({ words, key, line }, number) => html`<li role="option" id=${`command-${number}`} key=${number} aria-selected=${String(number === at)} onClick=${() => does.run(number)}>${line ? html`<span>Send <code>${line}</code></span>` : html`<${Name} of=${words} />`}${key ? html` <kbd>${key}</kbd>` : ""}</li>`)}</ul>
  ${!found.length && html`<p class="quiet">Nothing here begins so.</p>`}<pre role="status" class="quiet">${says}</pre>`;

/** The findings of the audit, each with its remedies. */
const Findings = ({ found, does }) => found.length ? html`<ol class="found">${found.map((each, number) => html`<li key=${number}><p><b>${each.severity}${each.ruled ? ", ruled" : ""}</b> ${each.event ? html`<a href=${each.href}>event ${each.number}</a>: ` : ""}${each.says} <code>${each.rule}</code></p>${does && !each.ruled && each.event ? html`<div class="row"><button type="button" onClick=${() => does.rule(each)}>Ruling</button> <button type="button" onClick=${() => does.correct(each)}>Correct</button></div>` : ""}</li>`)}</ol>` : html`<p class="quiet">Nothing was found: every fact is within the rules, as far as they can be judged.</p>`;
