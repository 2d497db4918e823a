/**
 * Where a test is: its file, and its title, with the titles of its groups before it where the title alone is not the
 * only one.
 */
export type Proof = readonly [file: string, title: string]

/** A claim of the specification, in its words, and the tests that would fail if it weren't so. */
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
