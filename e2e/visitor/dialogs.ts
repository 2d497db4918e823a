import { type Right, type Role, may } from './pages.ts'

/** The dialogs that users open; none is confirmed, so the data on the server stays. */
export interface Dialog {
  /** The accessible name. */
  readonly name: string
  /** The pages on which it opens; by default every page with a header. */
  readonly page?: string
  readonly for?: Right
  /** The button or key that opens it. */
  readonly opens: readonly ({ readonly button: string } | { readonly key: string })[]
  /** The key or the buttons that close it. */
  readonly closes: readonly string[]
}

const asking = ['Escape', 'Cancel']

export const dialogs: Readonly<Record<string, Dialog>> = {
  menu: { name: 'Menu', opens: [{ button: 'Menu' }], closes: ['Escape'] },
  palette: { name: 'Go to…', opens: [{ button: 'Go to…' }, { key: 'Control+k' }], closes: ['Escape'] },
  shortcuts: { name: 'Keyboard shortcuts', opens: [{ key: '?' }], closes: ['Escape', 'Close'] },
  deleteMosaic: {
    name: 'Delete “North side”?',
    page: 'mosaics',
    for: 'seeMosaic',
    opens: [{ button: 'Delete North side' }],
    closes: asking,
  },
  editBookmark: {
    name: 'Edit bookmark',
    page: 'bookmarks',
    opens: [{ button: 'Edit' }],
    closes: ['Escape', 'Close', 'Cancel'],
  },
  deleteBookmark: { name: 'Delete this bookmark?', page: 'bookmarks', opens: [{ button: 'Delete' }], closes: asking },
  deleteStream: {
    name: 'Delete “Gate”?',
    page: 'streamInfo',
    for: 'changeStream',
    opens: [{ button: 'Delete' }],
    closes: asking,
  },
  withdraw: {
    name: 'Withdraw public access?',
    page: 'streamInfo',
    for: 'changeStream',
    opens: [{ button: 'Withdraw' }],
    closes: asking,
  },
  calendar: { name: 'Calendar', page: 'streamView', opens: [{ button: 'Calendar' }], closes: ['Escape', 'Close'] },
  download: {
    name: 'Download video',
    page: 'streamView',
    opens: [{ button: 'Download' }],
    closes: ['Escape', 'Close', 'Cancel'],
  },
  bookmark: {
    name: 'Bookmark',
    page: 'streamView',
    opens: [{ button: 'Bookmark' }],
    closes: ['Escape', 'Close', 'Cancel'],
  },
  createToken: {
    name: 'Create token',
    page: 'tokens',
    opens: [{ button: 'Create token' }],
    closes: ['Escape', 'Close', 'Cancel'],
  },
  deleteToken: {
    name: 'Delete the token Backup?',
    page: 'tokens',
    opens: [{ button: 'Delete Backup' }],
    closes: asking,
  },
  endSessions: {
    name: 'End all other sessions?',
    page: 'sessions',
    opens: [{ button: 'End all others' }],
    closes: asking,
  },
  blockUser: { name: 'Block rob?', page: 'userInfo', for: 'administer', opens: [{ button: 'Block' }], closes: asking },
  deleteUser: {
    name: 'Delete rob?',
    page: 'userInfo',
    for: 'administer',
    opens: [{ button: 'Delete' }],
    closes: asking,
  },
  endUserSessions: {
    name: 'End all sessions?',
    page: 'userSessions',
    for: 'administer',
    opens: [{ button: 'End all' }],
    closes: asking,
  },
  drainNode: { name: 'Drain north?', page: 'cluster', for: 'administer', opens: [{ button: 'Drain' }], closes: asking },
}

export const dialogsFor = (role: Role): readonly (readonly [string, Dialog])[] =>
  Object.entries(dialogs).filter(([, dialog]) => may(role, dialog.for ?? 'none'))

/** The menu's entries in order, with the page of each; API documentation opens another tab, and Log out signs out. */
const entries: readonly { readonly name: string; readonly page: string | null; readonly for: Right }[] = [
  { name: 'Profile', page: 'profileInfo', for: 'none' },
  { name: 'Administration', page: 'statistics', for: 'administer' },
  { name: 'More features', page: 'help', for: 'none' },
  { name: 'API documentation', page: null, for: 'administer' },
  { name: 'Log out', page: null, for: 'none' },
]

export const entriesFor = (role: Role) => entries.filter((entry) => may(role, entry.for))
