import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { cachedQuery } from '../../../server/store/cached-query.ts'
import { StoreAway, type Connection } from '../../../server/store/connection.ts'
import { sqliteEngine } from '../../../server/store/engine.ts'
import { withLastAnswers } from '../../../server/store/last-answers.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { openStoreOn } from '../../../server/store/store.ts'
import { connectLocal } from '../fixtures/local-connection.ts'
import { passMonotonic } from '../fixtures/monotonic.ts'

const steps = [
  "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT) STRICT; INSERT INTO things VALUES (1, 'lamp'), (2, 'bulb')",
]
const away = new StoreAway('it does not answer')

/** A database as PostgreSQL is: others may write, and its network can be cut. */
const opened = async () => {
  const db = openDatabase(':memory:')
  onTestFinished(() => db.close())
  const waiting: PromiseWithResolvers<void>[] = []
  let network: 'there' | 'cut' | 'refusing' = 'there'
  const connect = (): Connection => {
    const local = connectLocal(db)
    let isOpen = true
    return {
      ...local,
      isOpen: () => isOpen,
      call: async (call) => {
        if (network === 'refusing') throw away
        if (network === 'cut') {
          const answer = Promise.withResolvers<void>()
          waiting.push(answer)
          await answer.promise.catch((error: unknown) => {
            isOpen = false
            throw error
          })
        }
        return local.call(call)
      },
    }
  }
  const store = await openStoreOn({ ...sqliteEngine('', connect), outside: undefined }, new Map([['test', steps]]))
  const thing = cachedQuery(store, z.object({ name: z.string() }), 'SELECT name FROM things WHERE id = ?')
  const ask = (id = 1) =>
    new Promise((resolve) => withLastAnswers(() => resolve(thing.get(id).then((row) => row?.name, String))))
  const count = () => store.get(z.object({ count: z.number() }), 'SELECT count(*) AS count FROM things')
  const set = (to: typeof network) => () => {
    network = to
  }
  /** Ends what waits, as its time is up, or since the network is there again. */
  const end = (how: 'timeUp' | 'restored') => {
    if (how === 'restored') network = 'there'
    for (const { resolve, reject } of waiting.splice(0)) {
      if (how === 'restored') resolve()
      else reject(away)
    }
  }
  const [cut, restore, refuse] = [set('cut'), set('there'), set('refusing')]
  return { db, store, ask, count, cut, restore, refuse, end, waiting: () => waiting.length }
}

/** Such a database that no longer answers, which one call has found out. */
const unreachable = async () => {
  const site = await opened()
  const { ask, cut, end } = site
  expect([await ask(1), await ask(2)]).toEqual(['lamp', 'bulb'])
  cut()
  const first = ask()
  await expect.poll(site.waiting).toBe(1)
  end('timeUp')
  expect(await first).toBe('lamp')
  return site
}

describe('while the database can’t be reached', () => {
  test('a last answer is given at once, and its question asked behind it, once at a time', async () => {
    const { db, ask, end, waiting } = await unreachable()
    expect(await Promise.all([ask(), ask(), ask(2)])).toEqual(['lamp', 'lamp', 'bulb'])
    expect([await ask(), waiting()]).toEqual(['lamp', 2])
    end('timeUp')
    await expect.poll(async () => [await ask(), waiting()]).toEqual(['lamp', 1])
    db.exec("UPDATE things SET name = 'wire' WHERE id = 1")
    end('restored')
    await expect.poll(() => ask()).toBe('wire')
  })

  test('what has turned out to be gone is not given again', async () => {
    const { db, ask, cut, end, waiting } = await unreachable()
    await ask()
    db.exec('DELETE FROM things')
    end('restored')
    await expect.poll(() => ask()).toBe(undefined)
    cut()
    const gone = ask()
    await expect.poll(waiting).toBe(1)
    end('timeUp')
    expect(await gone).toBe(String(away))
  })

  test('what was written or withdrawn since is asked first', async () => {
    const { store, ask, end, waiting } = await unreachable()
    store.noteOutsideWrite('things')
    const answer = ask()
    await expect.poll(waiting).toBe(1)
    end('timeUp')
    expect(await answer).toBe(String(away))
  })
})

describe('once the database can be reached again', () => {
  test('all is asked as soon as any call was answered', async () => {
    const { db, ask, end, count } = await unreachable()
    db.exec("UPDATE things SET name = 'wire' WHERE id = 1")
    end('restored')
    await count()
    expect(await ask()).toBe('wire')
  })

  test('the first question of a quiet server is asked before it is answered', async () => {
    const { db, ask, end } = await unreachable()
    db.exec("UPDATE things SET name = 'wire' WHERE id = 1")
    end('restored')
    passMonotonic(10_000)
    expect(await ask()).toBe('wire')
  })

  test('an earlier call that fails late does not count', async () => {
    const { store, cut, end, restore, count } = await unreachable()
    end('restored')
    await count()
    cut()
    const early = count()
    restore()
    passMonotonic(1)
    await count()
    end('timeUp')
    await expect(early).rejects.toBe(away)
    expect(store.isUnreachable()).toBe(false)
  })

  test('a call that is refused was answered, too', async () => {
    const { store, end, refuse, count } = await unreachable()
    expect([store.isAway(), store.isUnreachable()]).toEqual([true, true])
    end('restored')
    refuse()
    await expect(count()).rejects.toBe(away)
    expect([store.isAway(), store.isUnreachable()]).toEqual([true, false])
  })
})
