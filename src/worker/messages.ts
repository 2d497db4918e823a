/** What the server pushes (docs/wire.md §6.2). */
export interface PushedMessage {
  readonly title: string
  readonly body: string
  readonly tag: string
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A message that can't be read is still shown, as browsers want one for each push. */
export function messageOf(read: () => unknown): PushedMessage {
  try {
    const value = new Map(Object.entries(Object(read())))
    return {
      title: textOf(value.get('title')) || 'Sightline',
      body: textOf(value.get('body')),
      tag: textOf(value.get('tag')),
    }
  } catch {
    return { title: 'Sightline', body: '', tag: '' }
  }
}
