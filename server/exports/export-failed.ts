/** An export failed for a reason that the user is shown. The message is its code (docs/wire.md §6). */
export class ExportFailed extends Error {}
