import { useState } from 'react'

/** What is typed into the fields of a filter; another filter that applies replaces it. */
export function useDraft<Draft extends Readonly<Record<string, string>>>(
  applied: Draft,
): [draft: Draft, setDraft: (draft: Draft) => void] {
  const key = JSON.stringify(applied)
  const [draft, setDraft] = useState(applied)
  const [draftedFrom, setDraftedFrom] = useState(key)
  if (draftedFrom !== key) {
    setDraftedFrom(key)
    setDraft(applied)
  }
  return [draft, setDraft]
}
