import * as z from 'zod/mini'
import { validationError } from '../check.ts'
import { Bookmark, BookmarkBody, BookmarkPatch } from '../contract/system.ts'
import { type ApiError, type Reply, noResponse } from '../reply.ts'
import type { BookmarkStore } from '../resources/bookmarks.ts'
import { readStored, watchStored, writeStored } from './storage.ts'

const key = 'bookmarks'
const byLogin = z.record(z.string(), z.unknown())

const ok = <T>(value: T): Reply<T> => ({ ok: true, value, retryAfterSeconds: null })
const failed = (apiError: Partial<ApiError>): Reply<never> => ({ ok: false, apiError: { ...noResponse, ...apiError } })

/** The bookmarks of every login of this browser; an unreadable value counts as none. */
function readAll(): Record<string, unknown> {
  const all = z.safeParse(byLogin, readStored('local', key))
  return all.success ? all.data : {}
}

/** The bookmarks of one login; those that don't fit the schema are left out. */
function read(login: string): Bookmark[] {
  const own = readAll()[login]
  if (!Array.isArray(own)) return []
  return own.flatMap((stored: unknown) => {
    const bookmark = z.safeParse(Bookmark, stored)
    return bookmark.success ? [bookmark.data] : []
  })
}

/** Replies with `value`, or with the code NotStored if the storage is full or not accessible. */
function write<T>(login: string, bookmarks: readonly Bookmark[], value: T): Reply<T> {
  const own = bookmarks.map((bookmark) => ({ ...bookmark, time: new Date(bookmark.time).toISOString() }))
  return writeStored('local', key, { ...readAll(), [login]: own }) ? ok(value) : failed({ code: 'NotStored' })
}

const newId = () =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
const notFound = () => failed({ status: 404, code: 'NotFound' })

/** Bookmarks kept in this browser, for servers that don't store them. */
export const browserBookmarks = (login: string): BookmarkStore => ({
  list: async () => ok(read(login)),
  async add(body) {
    const invalid = validationError(BookmarkBody, body)
    if (invalid !== null) return invalid
    const bookmark = { id: newId(), ...z.parse(BookmarkBody, body) }
    return write(login, [...read(login), bookmark], bookmark)
  },
  async change(id, patch) {
    const invalid = validationError(BookmarkPatch, patch)
    if (invalid !== null) return invalid
    const { time, note } = z.parse(BookmarkPatch, patch)
    const bookmarks = read(login)
    const current = bookmarks.find((bookmark) => bookmark.id === id)
    if (current === undefined) return notFound()
    const changed = { ...current, time: time ?? current.time, note: note ?? current.note }
    return write(
      login,
      bookmarks.map((bookmark) => (bookmark === current ? changed : bookmark)),
      changed,
    )
  },
  async remove(id) {
    const bookmarks = read(login)
    const rest = bookmarks.filter((bookmark) => bookmark.id !== id)
    return rest.length === bookmarks.length ? notFound() : write(login, rest, {})
  },
})

/** Calls `onChange` when another tab changes the stored bookmarks, or clears the storage. */
export const watchBrowserBookmarks = (onChange: () => void): (() => void) => watchStored(key, onChange)
