/** One tab of a browser that Playwright doesn't drive: what WebDriver BiDi and classic WebDriver have in common. */
export interface Tab {
  /** The browser's name and version. */
  readonly name: string
  /** The folder that the browser downloads to. */
  readonly downloads: string
  go(address: string): Promise<void>
  /**
   * Calls a function in the page and awaits its result. The function can't use anything of its module; arguments and
   * result are JSON.
   */
  evaluate<Args extends readonly unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>
  /** Performs the actions of input sources, as both standards define them (WebDriver §15). */
  act(sources: readonly object[]): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** A picture of the page, PNG. */
  screenshot(): Promise<Buffer>
  /** The errors and warnings of the browser's console since the start, uncaught exceptions included. */
  consoleErrors(): Promise<readonly string[]>
}

/**
 * The source of a call whose result is JSON. It runs after the next animation frame, so that the page is up to date.
 */
export const scriptOf = (work: (...args: never[]) => unknown, args: readonly unknown[]): string =>
  `new Promise(requestAnimationFrame).then(() => (${work.toString()})(...${JSON.stringify(args)})).then((result) => JSON.stringify({ result }))`

export const resultOf = (json: unknown) => JSON.parse(String(json)).result

export const windowSize = { width: 1440, height: 900 }
