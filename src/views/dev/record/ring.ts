/** Keeps the last `size` items that were pushed. */
export class Ring<Item> {
  private readonly slots: Item[] = []
  readonly size: number
  /** Of all pushed items, with the overwritten ones. */
  count = 0

  constructor(size: number) {
    this.size = size
  }

  push(item: Item): void {
    this.slots[this.count % this.size] = item
    this.count += 1
  }

  /** The item that was pushed as number `index`, from 0; undefined if it was overwritten. */
  at(index: number): Item | undefined {
    return index >= this.count - this.size ? this.slots[index % this.size] : undefined
  }

  items(): Item[] {
    const start = this.count % this.size
    return this.count <= this.size ? this.slots.slice() : [...this.slots.slice(start), ...this.slots.slice(0, start)]
  }
}
