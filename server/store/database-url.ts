/**
 * Parses the URL of a PostgreSQL database; null if it isn't one. PostgreSQL's clients take one with a user and no host,
 * `user@/name?host=/run/postgresql`, which the URL standard doesn't: it gets a host, which that of its query replaces.
 */
export const parseDatabaseUrl = (text: string): URL | null => URL.parse(text.replace('@/', '@localhost/'))
