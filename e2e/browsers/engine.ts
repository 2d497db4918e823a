/** One tab of a browser that Playwright doesn't drive, by what BiDi and WebDriver have in common. */
export interface Engine {
  /** The browser's name and version. */
  readonly name: string
  /** Where it saves files. */
  readonly downloads: string
  go(address: string): Promise<void>
  /**
   * Calls a function in the page, which finds nothing of its module there: what goes in and what comes out is JSON, a
   * promise is awaited.
   */
  evaluate<Given extends readonly unknown[], Told>(
    work: (...given: Given) => Told | Promise<Told>,
    ...given: Given
  ): Promise<Told>
  /** Plays sources of input, as both standards describe them (WebDriver §15). */
  act(sources: readonly object[]): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** A picture of the page, PNG. */
  screenshot(): Promise<Buffer>
  /** The errors and warnings of its console since the start, failed scripts among them. */
  complaints(): Promise<readonly string[]>
}

/**
 * A function's call as text; what comes of it goes back as JSON. It comes after the page has drawn, so that what is on
 * the screen is told.
 */
export const callOf = (work: (...given: never[]) => unknown, given: readonly unknown[]): string =>
  `new Promise(requestAnimationFrame).then(() => (${work.toString()})(...${JSON.stringify(given)})).then((told) => JSON.stringify({ told }))`

export const toldBy = (answer: unknown) => JSON.parse(String(answer)).told

export const windowSize = { width: 1440, height: 900 }
