/** Why an export failed, as a code (docs/wire.md §6). */
export class ExportFailed extends Error {}
