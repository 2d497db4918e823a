import type { AuditEntry } from '../../api/contract/system.ts'

/** A cell that a spreadsheet reads as text: quoted, and never as a formula. */
function cell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}

const moment = (epochMs: number | undefined) => (epochMs === undefined ? '' : new Date(epochMs).toISOString())
const number = (value: number | undefined) => (value === undefined ? '' : String(value))

const columns: Readonly<Record<string, (entry: AuditEntry) => string>> = {
  time: ({ time }) => moment(time),
  login: ({ login }) => login,
  action: ({ action }) => action,
  target: ({ target }) => target,
  name: ({ name }) => name,
  ip: ({ ip }) => ip,
  outcome: ({ outcome }) => outcome,
  userId: ({ userId = '' }) => userId,
  loginNow: ({ userName = '' }) => userName,
  targetId: ({ targetId = '' }) => targetId,
  claimed: ({ claimed = '' }) => claimed,
  changes: ({ changes = [] }) => changes.map(({ path, from = '', to = '' }) => `${path}: ${from} → ${to}`).join('\n'),
  times: ({ times }) => number(times),
  endTime: ({ endTime }) => moment(endTime),
  bytes: ({ bytes }) => number(bytes),
}
/** In a cluster alone. */
const nodeColumn = { node: ({ node = '' }: AuditEntry) => node }

export function auditCsv(entries: readonly AuditEntry[]): string {
  const shown = entries.some(({ node }) => node !== undefined) ? { ...columns, ...nodeColumn } : columns
  const rows = entries.map((entry) =>
    Object.values(shown)
      .map((read) => cell(read(entry)))
      .join(','),
  )
  return `${[Object.keys(shown).join(','), ...rows].join('\r\n')}\r\n`
}
