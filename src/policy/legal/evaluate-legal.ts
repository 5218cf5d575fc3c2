import type { JourneyChange } from "../../itinerary/journey-changes.ts";
import type { Fact } from "../../kernel/fact.ts";
import { labelOfFact } from "../fact-labels.ts";
import { amountFor } from "./amounts.ts";
import type { Entitlement, LegalAssessment, LegalVerdict, SilentLaw } from "./assessment.ts";
import { clocksFor } from "./clocks.ts";
import { judgeCondition } from "./judge-condition.ts";
import { legalHold } from "./legal-hold.ts";
import type { LegalInput } from "./legal-input.ts";
import type { LegalPreset, LegalTrigger } from "./preset.ts";
import { legalPresets, legalPresetVersions, selectedPresets } from "./presets.ts";
import { appliesTo } from "./scope.ts";
import { anyTrue, type Truth } from "./truth.ts";

/** Evaluates every enabled preset, journey by journey. Pure; never throws. Several laws may apply at once. */
export function evaluateLegal(input: LegalInput): LegalAssessment {
  const presets = selectedPresets(input.context.presets);
  const asked = presets.map((preset) => askPreset(preset, input));
  const verdicts = asked.flatMap((result) => result.verdicts);
  return {
    presets: asked.map(({ preset, applies }) => ({ id: preset.id, version: versions.get(preset.id) ?? "", applies })),
    journeys: [...new Set(input.journeys.map(nameOf))],
    switchedOff: legalPresets
      .filter((preset) => !presets.includes(preset) && isInForce(preset, input.now) && covers(preset, input))
      .map(({ id }) => id),
    silent: asked.flatMap(({ silent }) => silent),
    verdicts,
    hold: legalHold(verdicts, input.context, presets.length > 0 && input.journeys.length === 0),
    warnings: [...warningsOf(presets, input.now), ...unknownPresets(input.context.presets)],
  };
}

const versions = new Map(legalPresetVersions.map(({ id, version }) => [id, version]));

function isInForce({ id, inForce }: LegalPreset, now: Date): boolean {
  return forceWarnings(id, inForce, now).length === 0;
}

function covers(preset: LegalPreset, { journeys, context }: LegalInput): boolean {
  return journeys.some((journey) => appliesTo(preset, journey, context.carriers).value === true);
}

interface PresetResult {
  readonly preset: LegalPreset;
  readonly applies: Truth["value"];
  readonly verdicts: readonly LegalVerdict[];
  readonly silent: readonly SilentLaw[];
}

interface ScopedJourney {
  readonly journey: JourneyChange;
  readonly truth: Truth;
}

function askPreset(preset: LegalPreset, input: LegalInput): PresetResult {
  const journeys = input.journeys.map((journey) => ({
    journey,
    truth: appliesTo(preset, journey, input.context.carriers),
  }));
  const applies = anyTrue(journeys.map(({ truth }) => truth)).value;
  const verdicts =
    applies === false ? [] : preset.triggers.flatMap((trigger) => judgeTrigger(preset, trigger, journeys, input));
  return { preset, applies, verdicts, silent: silenceOf(preset, journeys, input) };
}

function silenceOf(preset: LegalPreset, journeys: readonly ScopedJourney[], input: LegalInput): readonly SilentLaw[] {
  const { id, silentOn } = preset;
  if (silentOn === undefined) return [];
  const unnamed = journeys
    .filter(({ truth }) => truth.value === true)
    .map(({ journey }) => judgeCondition(silentOn, { preset, journey, input }))
    .find(({ truth }) => truth.value === true);
  return unnamed === undefined ? [] : [{ preset: id, change: unnamed.because }];
}

/** Returns a verdict for each journey that gives the right or may, else one that says why none does. */
function judgeTrigger(
  preset: LegalPreset,
  trigger: LegalTrigger,
  journeys: readonly ScopedJourney[],
  input: LegalInput,
): readonly LegalVerdict[] {
  const outcomes = journeys.map((scoped) => ({
    journey: scoped.journey,
    outcome: judgeJourney(preset, trigger, scoped, input),
  }));
  const open = outcomes.filter(({ outcome }) => outcome.verdict !== "not-entitled");
  if (open.length === 0) {
    const because = [...new Set(outcomes.map(({ outcome }) => outcome.because))].join("; ");
    return [verdictOf(preset, trigger, notEntitled(because))];
  }
  return open.map(({ journey, outcome }) => ({
    ...verdictOf(preset, trigger, outcome),
    journey: nameOf(journey),
    amount: amountFor(trigger, { preset, journey, input }),
    clocks: clocksFor(trigger.clocks ?? [], journey, input.context),
  }));
}

interface Outcome {
  readonly verdict: Entitlement;
  readonly unknownFact: string | null;
  readonly because: string;
}

/** The condition comes first: what did not happen gives no right, whether the law applies or not. */
function judgeJourney(
  preset: LegalPreset,
  trigger: LegalTrigger,
  { journey, truth: applies }: ScopedJourney,
  input: LegalInput,
): Outcome {
  const { truth, because } = judgeCondition(trigger.when, { preset, journey, input });
  if (truth.value === false) return notEntitled(because);
  if (applies.value === false) return notEntitled(`the law does not cover ${nameOf(journey)}`);
  const held: Fact<boolean> | undefined = input.facts.held;
  if (held?.known === true && held.value) return notEntitled("the order is only held, so nothing was bought yet");
  const until = trigger.notEnforcedUntil ?? null;
  if (until !== null && !isAfterDay(input.now, until)) {
    return notEntitled(`${because}, which is not enforced until ${until}`);
  }

  if (truth.value === "unknown") return undetermined(truth.fact, because);
  if (applies.value === "unknown") {
    const doubt = `whether the law covers ${nameOf(journey)} depends on “${labelOfFact(applies.fact)}”`;
    return undetermined(applies.fact, `${because}, and ${doubt}`);
  }
  if (until !== null) return undetermined("enforcement", `${because}, which was not enforced until ${until}`);
  return { verdict: "entitled", unknownFact: null, because };
}

function undetermined(unknownFact: string, because: string): Outcome {
  return { verdict: "cannot-tell", unknownFact, because };
}

function notEntitled(because: string): Outcome {
  return { verdict: "not-entitled", unknownFact: null, because };
}

function verdictOf(preset: LegalPreset, trigger: LegalTrigger, outcome: Outcome): LegalVerdict {
  return {
    preset: preset.id,
    trigger: trigger.id,
    title: trigger.title,
    right: trigger.right,
    ...outcome,
    journey: null,
    paragraph: trigger.paragraph,
    citation: preset.citation,
    note: trigger.note ?? null,
    amount: null,
    clocks: [],
  };
}

/** Returns the booked airports: `LIS-FRA-JFK`. */
function nameOf({ flights }: JourneyChange): string {
  const airports = [...flights.slice(0, 1).map(({ from }) => from), ...flights.map(({ to }) => to)];
  return airports.map(({ airport }) => airport ?? "?").join("-");
}

/** Returns what a reader must know before relying on the presets today, as sentences. */
export function warningsOf(presets: readonly LegalPreset[], now: Date): readonly string[] {
  return presets.flatMap(({ id, asOf, reviewBy, inForce }) => {
    const review = `${id} was to be reviewed by ${reviewBy} (as of ${asOf}): have somebody read the law again before relying on it.`;
    return [...(isAfterDay(now, reviewBy) ? [review] : []), ...forceWarnings(id, inForce, now)];
  });
}

function forceWarnings(id: string, inForce: LegalPreset["inForce"], now: Date): readonly string[] {
  if ("not" in inForce) return [`${id} is not in force: ${inForce.not}`];
  const { from, to } = inForce;
  const isAhead = from !== null && now.getTime() < Date.parse(`${from}T00:00:00Z`);
  return [
    ...(isAhead ? [`${id} is not in force before ${from}.`] : []),
    ...(to !== null && isAfterDay(now, to)
      ? [`${id} was in force until ${to}: switch it off in the policy (settings.legalPresets).`]
      : []),
  ];
}

/** Days of presets are in UTC, so that every process gets the same result. */
function isAfterDay(now: Date, day: string): boolean {
  return !(now.getTime() < Date.parse(`${day}T00:00:00Z`) + 86_400_000);
}

function unknownPresets(switches: Readonly<Record<string, boolean>>): readonly string[] {
  const known = new Set(legalPresets.map(({ id }) => id));
  return Object.keys(switches)
    .filter((id) => !known.has(id))
    .map((id) => `There is no legal preset ${id}; there are ${[...known].join(", ")}.`);
}
