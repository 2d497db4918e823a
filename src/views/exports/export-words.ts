import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FileMismatch, ExportVerdict } from '../../api/export-file/verify-export.ts'

/** Why an export failed (docs/wire.md §6); an unknown reason is shown as received. */
export const reasons: Readonly<Record<string, MessageDescriptor>> = {
  RECORDINGS_GONE: msg`The recordings no longer exist`,
  EXPORTS_FULL: msg`There is no space left for exports: delete some, or ask an administrator`,
  OVERLAY_FAILED: msg`Time and camera name could not be overlaid: export without them`,
  MASKS_FAILED: msg`The privacy masks could not be burned in`,
  DISK_FULL: msg`The server's disk is full`,
  InternalServerError: msg`The server could not create the file`,
}

export const verdicts: Readonly<Record<ExportVerdict, { title: MessageDescriptor; text: MessageDescriptor }>> = {
  unchanged: {
    title: msg`Unchanged`,
    text: msg`No file was changed after signing, and the key is the expected one.`,
  },
  changed: {
    title: msg`Changed`,
    text: msg`The file was changed after signing. Its details may be false.`,
  },
  truncated: {
    title: msg`Truncated`,
    text: msg`The end of the file is missing: download or copy it again.`,
  },
  otherKey: {
    title: msg`Signed with another key`,
    text: msg`Unchanged since signing, but the key is not the expected one: the file is from another server or forged.`,
  },
  notAnExport: {
    title: msg`Not an export`,
    text: msg`Choose a ZIP file that was downloaded as an export.`,
  },
}

/** The text for an unchanged file without a known key to compare with. */
export const noKeyText = msg`Unchanged since signing. Check whose key it is: anybody can sign with a key of their own.`

export const mismatches: Readonly<Record<FileMismatch['kind'], MessageDescriptor>> = {
  changed: msg`changed`,
  missing: msg`missing`,
  added: msg`added, not signed`,
}
