import { nearestName } from "../kernel/nearest-name.ts";
import { settingDescriptions } from "./settings.ts";

/** Nothing else is likely to name its variables like this. */
const ownName =
  /^(?:OCN|GATEWAY|AGENCY|RECIPIENT|DELIVERY|SMTP|NOTICE|OIDC|RETENTION|WORKER|POLLS?|AUTOMATION|TRUSTED|ENCRYPTION|DATABASE|QUEUE|POLICY|SOURCES)_/;

/** Kubernetes gives every container variables for each service, such as one that is called `gateway`. */
const ofKubernetes = /_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP)/;

/** Returns a sentence for each variable that is named like a setting and is none: most likely it is misspelt. */
export function describeUnknownSettings(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = settingDescriptions.flatMap(({ name, secret }) => (secret === true ? [name, `${name}_FILE`] : [name]));
  const isKnown = new Set<string>(known);
  return Object.keys(environment)
    .filter((name) => environment[name] !== "" && ownName.test(name) && !ofKubernetes.test(name) && !isKnown.has(name))
    .map((name) => {
      const meant = nearestName(name, known);
      return `${name} is no setting and has no effect. ${meant === null ? "Leave it out; docs/settings.md lists all." : `Did you mean ${meant}?`}`;
    });
}
