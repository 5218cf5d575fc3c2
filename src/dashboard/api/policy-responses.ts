import { z } from "zod";
import {
  policyMistake,
  policyTerm,
  policyVersion,
  shadowDifference,
  sourcePolicies,
  version,
} from "../policy-ports.ts";

export const policyOverview = z
  .strictObject({ sources: z.array(sourcePolicies), versions: z.array(policyVersion) })
  .meta({ id: "PolicyOverview" });

export const policyTermList = z.strictObject({ items: z.array(policyTerm) }).meta({ id: "PolicyTermList" });

export const policyAdded = z
  .strictObject({ version, name: z.string(), warnings: z.array(policyMistake) })
  .meta({ id: "PolicyAdded" });

export const shadowDifferences = z
  .strictObject({ items: z.array(shadowDifference), nextCursor: z.string().nullable() })
  .meta({ id: "ShadowDifferences" });
