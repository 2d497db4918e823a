/** Edges that guard against what no screen can bring about, each with its reason. The report fails where one is walked after all. */
export const unwalkable: Readonly<Record<string, string>> = {}
