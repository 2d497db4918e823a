/** The file and title of a test; a title that isn't unique has the titles of its groups before it. */
export type Proof = readonly [file: string, title: string]

/** A sentence of the specification, and the tests that fail if it isn't true. */
export interface Row {
  readonly claim: string
  readonly proofs: readonly Proof[]
}

export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
}

/** The tests of one file, by title. */
export const tests =
  (file: string) =>
  (...titles: readonly string[]): Proof[] =>
    titles.map((title) => [file, title])

export const row = (claim: string, ...proofs: readonly (readonly Proof[])[]): Row => ({ claim, proofs: proofs.flat() })
