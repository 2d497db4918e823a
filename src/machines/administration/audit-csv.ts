import type { AuditEntry } from '../../api/contract/system.ts'

const columns = ['time', 'login', 'action', 'target', 'name', 'ip', 'outcome'] as const

/** A cell that a spreadsheet reads as text: quoted, and never as a formula. */
function cell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}

/** The entries as CSV with a head; times in UTC. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) =>
    columns.map((name) => cell(name === 'time' ? (entry.time === undefined ? '' : new Date(entry.time).toISOString()) : entry[name])).join(','),
  )
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`
}
