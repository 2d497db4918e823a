/** The translations of a catalogue by `context|message`, without the header and obsolete entries. */
export const readPo = (po: string): Map<string, string> => {
  const messages = new Map<string, string>()
  for (const block of po.split(/\n\s*\n/)) {
    const lines = block.split('\n').filter((line) => !line.startsWith('#'))
    const part = (name: string) => {
      const from = lines.findIndex((line) => line.startsWith(`${name} `))
      if (from < 0) return ''
      const rest = lines.slice(from + 1)
      const end = rest.findIndex((line) => !line.startsWith('"'))
      const own = [lines[from]?.slice(name.length + 1), ...(end < 0 ? rest : rest.slice(0, end))]
      return own.map((text) => text?.slice(1, -1) ?? '').join('')
    }
    const id = part('msgid')
    if (id !== '') messages.set(`${part('msgctxt')}|${id}`, part('msgstr'))
  }
  return messages
}
