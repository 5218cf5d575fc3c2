export function digestOfSources(root: string): string;
