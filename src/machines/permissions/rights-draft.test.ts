import { createActor, fromCallback } from 'xstate'
import { expect, test } from 'vitest'
import type { DraftCommand } from '../form/draft.ts'
import type { formMachineOf } from '../form/form.machine.ts'
import { groupForm } from '../groups/group-values.ts'
import { permissionsForm } from '../stream-pages/permissions.machine.ts'
import { permissionsFormMachine } from '../users/user-permissions.machine.ts'
import { rightsDraft } from './rights-draft.ts'
import { noRights } from './rights.ts'

const view = { ...noRights, canView: true }
const archive = { ...view, canViewArchive: true }

type Form<Values extends object, Answer> = ReturnType<typeof formMachineOf<Values, Answer>>

/** Stores the draft of an edit, then restores it in a form with what the server says later. */
function restored<Values extends object, Answer>(
  form: Form<Values, Answer>,
  first: Values,
  edit: Partial<Values>,
  later: Values,
): Values {
  let draft: object = {}
  const start = (values: Values, found: object) => {
    const storeDraft = fromCallback<DraftCommand>(({ receive, sendBack }) => {
      sendBack({ type: 'draft.found', values: found })
      receive((command) => (draft = JSON.parse(JSON.stringify(command.values))))
    })
    return createActor(form.provide({ actors: { storeDraft } }), { input: { values, facts: null } }).start()
  }
  start(first, {}).send({ type: 'form.edited', values: edit })
  return start(later, draft).getSnapshot().context.values
}

/** Edits `first` into `edited`, while the server's list becomes `later`. */
const first = { kept: view, revoked: view, lowered: archive, removed: view, gone: view }
const edited = { kept: archive, revoked: view, lowered: { ...archive, canAdmin: true }, gone: archive, added: view }
const later = { kept: view, lowered: view, removed: archive, elsewhere: archive }
const merged = { kept: archive, lowered: view, elsewhere: archive, added: view }

test("a restored draft of a user's permissions grants nothing that was revoked meanwhile", () => {
  const values = (list: Record<string, typeof view>) => ({
    login: 'bob',
    permissions: Object.entries(list).map(([uid, rights]) => ({ uid, name: uid, ...rights })),
  })
  expect(restored(permissionsFormMachine, values(first), values(edited), values(later))).toEqual(values(merged))
})

test("a restored draft of a stream's permissions grants nothing that was revoked meanwhile", () => {
  const values = (list: Record<string, typeof view>) => ({
    uid: 'gate',
    permissions: Object.entries(list).map(([login, rights]) => ({ login, ...rights })),
  })
  expect(restored(permissionsForm, values(first), values(edited), values(later))).toEqual(values(merged))
})

test('a restored draft of a group applies its changes to the present permissions and members', () => {
  const values = (list: Record<string, typeof view>, members: string[]) => ({
    id: 'g1',
    name: 'Guards',
    members,
    permissions: Object.entries(list)
      .map(([streamId, rights]) => ({ streamId, name: streamId, ...rights }))
      .toSorted((one, other) => (one.streamId < other.streamId ? -1 : 1)),
  })
  const edit = { ...values(edited, ['ann', 'bob', 'dan']), name: 'Night' }
  expect(restored(groupForm, values(first, ['ann', 'bob', 'cid']), edit, values(later, ['ann', 'cid', 'eve']))).toEqual(
    { ...values(merged, ['ann', 'dan', 'eve']), name: 'Night' },
  )
  expect(restored(groupForm, values(first, ['ann']), { name: 'Night' }, values(later, []))).toEqual({
    ...values(later, []),
    name: 'Night',
  })
})

test.each<[what: string, before: object, edited: object, later: object, merged: object]>([
  [
    'withholds downloads again',
    archive,
    { ...archive, canDownload: false },
    archive,
    { ...archive, canDownload: false },
  ],
  [
    'grants the archive without them',
    view,
    { ...archive, canDownload: false },
    view,
    { ...archive, canDownload: false },
  ],
  ['allows them again', { ...archive, canDownload: false }, archive, { ...archive, canDownload: false }, archive],
  [
    'leaves them withheld that were withheld meanwhile',
    view,
    archive,
    { ...archive, canDownload: false },
    { ...archive, canDownload: false },
  ],
  ['withholds nothing of an archive that is revoked', archive, { ...archive, canDownload: false }, view, view],
])('a restored draft of downloads %s', (_what, before, changed, now, merged) => {
  const values = (rights: object) => ({ uid: 'gate', permissions: [{ login: 'bob', ...noRights, ...rights }] })
  expect(restored(permissionsForm, values(before), values(changed), values(now))).toEqual(values(merged))
})

test('a draft keeps higher rights that a server gives without the lower ones', () => {
  const { draft, fromDraft } = rightsDraft<{ uid: string; canView: boolean } & typeof noRights>(({ uid }) => uid)
  const saved = { permissions: [{ uid: 'gate', ...noRights, canAdmin: true }] }
  const permissions = [{ uid: 'gate', ...noRights, canView: true, canAdmin: true }]
  expect(fromDraft(draft({ permissions }, null, saved), saved)).toEqual({ permissions })
})

test('what is no draft restores nothing', () => {
  const { fromDraft } = rightsDraft<{ uid: string } & typeof noRights>(({ uid }) => uid)
  const saved = { permissions: [{ uid: 'gate', ...view }] }
  expect(fromDraft({ permissions: [null, 7] }, saved)).toEqual(saved)
})
