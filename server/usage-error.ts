/** An error of whoever configured the server; its message is for the operator. */
export class UsageError extends Error {}
