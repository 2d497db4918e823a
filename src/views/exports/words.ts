import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ExportFault, ExportVerdict } from '../../api/export-file/verify-export.ts'

/** Why an export failed (docs/wire.md §6); another server's own reasons read as they came. */
export const reasons: Readonly<Record<string, MessageDescriptor>> = {
  RECORDINGS_GONE: msg`The recordings are no longer there`,
  EXPORTS_FULL: msg`There is no room left for exports: delete some, or ask an administrator`,
  OVERLAY_FAILED: msg`Time and camera could not be drawn into the picture: export it without them`,
  DISK_FULL: msg`The server's disk is full`,
  InternalServerError: msg`The server could not make it`,
}

export const verdicts: Readonly<Record<ExportVerdict, { title: MessageDescriptor; text: MessageDescriptor }>> = {
  unchanged: {
    title: msg`Unchanged`,
    text: msg`Every file is as it was signed, and the key is the expected one.`,
  },
  changed: {
    title: msg`Changed`,
    text: msg`This is not what was signed. What it says of itself may be untrue.`,
  },
  truncated: {
    title: msg`Truncated`,
    text: msg`The end of the file is missing: download or copy it again.`,
  },
  otherKey: {
    title: msg`Signed by another key`,
    text: msg`Unchanged since then, but not signed by the expected key: it is of another server, or a forgery.`,
  },
  noExport: {
    title: msg`Not an export`,
    text: msg`This is another kind of file.`,
  },
}

/** Where no key is known to compare with. */
export const ownKeyText = msg`Every file is as it was signed. Compare whose key it is: anybody can sign with their own.`

export const faults: Readonly<Record<ExportFault['kind'], MessageDescriptor>> = {
  changed: msg`changed`,
  missing: msg`missing`,
  added: msg`added, not signed`,
}
