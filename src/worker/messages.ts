/** What the server pushes (docs/wire.md §6.2). */
export interface PushedMessage {
  readonly title: string
  readonly body: string
  readonly tag: string
  /** The page that a click opens; '' for none in particular. */
  readonly path: string
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
      path: textOf(value.get('path')),
    }
  } catch {
    return { title: 'Sightline', body: '', tag: '', path: '' }
  }
}

/**
 * The address that a click opens: that of a page of the console, or else `page`, its start. A server that doesn't know
 * below which path a proxy puts the console begins its paths with `/ui/`.
 */
export function addressOf(path: unknown, { origin, page }: { origin: string; page: string }): string {
  try {
    const url = new URL(textOf(path).replace(/^\/ui\//, page), origin)
    return url.origin === origin && url.pathname.startsWith(page) ? url.pathname + url.search : page
  } catch {
    return page
  }
}

/** The open window to show; undefined if a new one is needed. Any window will do for the start of the console. */
export const windowFor = <Window extends { readonly url: string }>(
  windows: readonly Window[],
  { address, page }: { address: string; page: string },
): Window | undefined => windows.find(({ url }) => address === page || new URL(url).pathname === address)
