import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node'

/** Prints the progress of vitest at every tenth of its files, and failures at once; their details follow at the end. */
export default class Progress extends DefaultReporter {
  private files = 0
  private done = 0

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.files = specifications.length
  }

  protected override printTestModule(module: TestModule): void {
    const tenth = (done: number): number => Math.floor((10 * done) / this.files)
    if (module.state() === 'failed') super.printTestModule(module)
    this.done += 1
    if (tenth(this.done) > tenth(this.done - 1)) this.log(`${this.done} of ${this.files} files`)
  }
}
