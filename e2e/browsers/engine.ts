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
  evaluate<Given extends readonly unknown[], Answer>(
    work: (...given: Given) => Answer | Promise<Answer>,
    ...given: Given
  ): Promise<Answer>
  /** Plays sources of input, as both standards describe them (WebDriver §15). */
  act(sources: readonly object[]): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** A picture of the page, PNG. */
  screenshot(): Promise<Buffer>
  /** The errors and warnings of its console since the start, failed scripts among them. */
  complaints(): Promise<readonly string[]>
}

/**
 * A function's call as text; its result goes back as JSON. It waits for the page to draw, so that the result is that
 * of the screen.
 */
export const callOf = (work: (...given: never[]) => unknown, given: readonly unknown[]): string =>
  `new Promise(requestAnimationFrame).then(() => (${work.toString()})(...${JSON.stringify(given)})).then((answer) => JSON.stringify({ answer }))`

export const answerIn = (text: unknown) => JSON.parse(String(text)).answer

export const windowSize = { width: 1440, height: 900 }
