/**
 * Who sees to it that the traveller is told of a change that was accepted or cancelled: nobody, a person by a task, or a
 * system of the agency by the event `traveller.inform`; until one has acknowledged that, it is a task, too. A rule says it,
 * else the source.
 */
export const informChoices = ["nobody", "task", "event"] as const;
export type InformChoice = (typeof informChoices)[number];

/** Where neither says it. */
export const defaultInformChoice: InformChoice = "task";
