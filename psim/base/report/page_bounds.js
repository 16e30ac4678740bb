/* ---- what a page of nsim or bsim says first: what bounds the run, how much, what would help ---- */
/* The program or the traffic of a run of nsim or bsim, as its command names it. */
function systemTitle() {
  return find("link_use") || find("bounds") ? (/\S+\.so\b|--pattern(?:-file)?[ =]\S+|--replay[ =]\S+/.exec(valueOf("run.command") || "") || [""])[0].replace(/^--[\w-]+[ =]/, "") : "";
}

/* What would shorten a part of the critical path; its time is what that saves at most. */
const HELP = {
  computation: "faster processors, or less work",
  imbalance: "work that is divided evenly among the ranks",
  dependence: "ranks that compute at the same time rather than one after the other",
  overhead: "fewer calls, or a library with less overhead",
  latency: "fewer messages one after the other, or a network of less latency",
  bandwidth: "less data, or links of more bandwidth",
  copies: "less data between ranks of a node, or memory of more bandwidth",
  contention: "messages that are spread over time or space (another placement, topology), or links of more bandwidth",
  link: "traffic that takes other links (another placement, routing or root), or more bandwidth of this link",
  collectives: "another algorithm or library of collective operations",
};
const HELPS_FROM = 5; /* percent of the run: parts with less are not worth a remedy */

/* The largest parts that are half of the run together: what bounds it. */
function boundingParts(rows) {
  let sum = 0;
  return rows.filter(row => { const needed = sum < 50; sum += row.share; return needed; });
}

/* Names of the parts of `rows`, each with its share. */
function boundNames(rows) {
  const named = rows.map(row => `${row.part} (${row.share.toFixed(1)} %)`);
  return named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named.at(-1)}` : named[0];
}

function boundSentence(rows, seconds) {
  const bounding = boundingParts(rows), names = boundNames(bounding);
  return element("p", {}, element("b", {}, `${names[0].toUpperCase()}${names.slice(1)} bound${bounding.length > 1 ? "" : "s"} this run of ${brief(seconds, "s")}`),
    `: ${bounding.map(row => `${brief(row.time, "s")} are ${row.meaning}`).join("; ")}.`);
}

function helpSentence(rows) {
  const worth = rows.filter(row => row.share >= HELPS_FROM).slice(0, 3);
  return worth.length ? element("p", {}, element("b", {}, "What would help: "),
    worth.map((row, n) => `${HELP[row.part] ?? row.part}: saves at most ${row.share.toFixed(1)} %${n ? "" : " of the time"}`).join("; "), ".") : null;
}

/* Ranks wait, on average, for others that are late and for messages; the pair that waits longest. */
function waitSentence(seconds, within) {
  const [wait, late, network] = ["wait", "late", "network"].map(name => 100 * valueOf(`waiting.${name}`, within) / seconds);
  if (!(wait >= .05)) return null;
  const pair = rowsOf("waits", within)[0];
  return element("p", {}, `A rank waits ${wait.toFixed(1)} % of the time on average: ${late.toFixed(1)} % until the other side begins, ` +
    `${network.toFixed(1)} % for messages under way` + (pair ? `; longest, rank ${pair.pair.replace(" for ", " for rank ")}: ${brief(pair.wait, "s")}` : "") + ".");
}

const LINK_BOUNDS = 90, LINK_ALONE = 2; /* percent of the time in use; times the mean of links in use */

/* Who loads a link most, of a run with --hot-links: its largest sender, receiver and call. */
function loaderSentence(link) {
  const ranks = rowsOf("hot_link_ranks").filter(row => row.link === link && row.rank !== "others");
  const [from, to] = ["sends", "receives"].map(as => ranks.find(row => row.as === as));
  const call = rowsOf("hot_link_calls").find(row => row.link === link && row.call !== "others");
  if (!from || !to) return "";
  return ` Of its bytes, ${from.share.toFixed(1)} % come from rank ${from.rank}, ${to.share.toFixed(1)} % go to rank ${to.rank}` +
    (call ? `, and ${call.share.toFixed(1)} % are of ${call.call}${call.where ? ` in ${call.where}` : ""}` : "") + ".";
}

/* The link that is used most, beside the others; of traffic without a program whether it bounds the run. */
function linkSentence(judge, within) {
  const [busiest, most, mean] = ["busiest", "most", "mean"].map(name => valueOf(`link_use.${name}`, within));
  if (!(most > 0)) return null;
  const use = `${busiest}, carries data ${most.toFixed(1)} % of the time, a link in use ${mean.toFixed(1)} % on average.${loaderSentence(busiest)}`;
  if (!judge) return element("p", {}, `The link that is used most, ${use}`);
  const alone = most >= LINK_ALONE * mean;
  return element("p", {}, most < LINK_BOUNDS ? element("b", {}, "No link bounds this run: ") : element("b", {}, `${alone ? "One link bounds" : "The bandwidth of links bounds"} this run: `),
    `the one that is used most, ${use}` + (most < LINK_BOUNDS ? " Latency, NICs, queues, or the order of the messages do." : ` What would help: ${HELP[alone ? "link" : "contention"]}.`));
}

function energySentence(within) {
  const parts = rowsOf("power_parts", within).filter(row => row.energy > 0).sort((x, y) => y.energy - x.energy);
  const joules = valueOf("power.energy", within);
  return joules > 0 ? element("p", {}, `It takes ${brief(joules, "J")}, ${brief(valueOf("power.power", within), "W")} on average` +
    (parts.length ? `; most goes to ${parts.slice(0, 2).map(row => `${words(row.part)} (${(100 * row.energy / joules).toFixed(1)} %)`).join(" and ")}` : "") + ".") : null;
}

/* What is said of a run: this report's, or one of several that a page compares. */
function runSentences(within = report) {
  const rows = rowsOf("bounds", within), seconds = valueOf("program.seconds", within);
  const made = rows.length ? [boundSentence(rows, seconds), helpSentence(rows), waitSentence(seconds, within), linkSentence(false, within)] : [linkSentence(true, within)];
  return [...made, energySentence(within)].filter(Boolean);
}

function boundsVerdict() {
  const said = runSentences();
  return said.length ? element("div", {class: "verdict"}, ...said) : null;
}

/* Parts of the critical path as a bar. */
const BOUND_COLOURS = {computation: COLOUR.BLUE, imbalance: COLOUR.SKY, dependence: COLOUR.BROWN, overhead: COLOUR.ORANGE, latency: COLOUR.GREEN,
  bandwidth: COLOUR.PURPLE, copies: COLOUR.YELLOW, contention: COLOUR.VERMILION, link: COLOUR.VERMILION, collectives: COLOUR.GREY};

function boundsBar(within = report) {
  const rows = rowsOf("bounds", within);
  return rows.length ? stackedBar(rows.map(row => ({name: row.part, value: row.time, meaning: row.meaning, colour: BOUND_COLOURS[row.part] ?? COLOUR.GREY}))) : null;
}
