import { useMemo } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, useLingui } from '@lingui/react/macro'
import { Collection, Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components'
import type { ActorRefFrom } from 'xstate'
import type { apiDocumentationMachine } from '../../machines/api-documentation/api-documentation.machine.ts'
import { type Operation, searchOperations } from '../../machines/api-documentation/operations.ts'
import { SearchBox } from '../ui/SearchBox.tsx'
import { Credential } from './Credential.tsx'
import { Method } from './Method.tsx'
import styles from './OperationList.module.css'

interface OperationListProps {
  actor: ActorRefFrom<typeof apiDocumentationMachine>
  selected: string | null
}

export function OperationList({ actor, selected }: OperationListProps) {
  const { t } = useLingui()
  const { operations, search, info, baseUrl } = useSelector(actor, ({ context }) => context)
  const shown = useMemo(() => searchOperations(operations, search), [operations, search])
  const groups = useMemo(() => groupsOf(shown), [shown])
  return (
    <section className={styles.side} aria-label={t`Calls`}>
      <p className={styles.about}>
        {info?.title} {info?.version} · <Plural value={shown.length} one="# call" other="# calls" /> ·{' '}
        <a href={`${baseUrl}v1/openapi.json`} target="_blank" rel="noopener">
          openapi.json
        </a>
      </p>
      <SearchBox
        label={t`Search calls`}
        value={search}
        onChange={(text) => actor.send({ type: 'search.edited', search: text })}
      />
      <ListBox
        className={styles.list ?? ''}
        aria-label={t`Calls`}
        items={groups}
        selectionMode="single"
        selectionBehavior="replace"
        selectedKeys={selected === null ? [] : [selected]}
        onSelectionChange={(keys) => {
          const [id] = keys === 'all' ? [] : [...keys]
          if (id !== undefined) actor.send({ type: 'operation.selected', id: String(id) })
        }}
        renderEmptyState={() => <p className={styles.none}>{t`No matches`}</p>}
      >
        {(group) => (
          <ListBoxSection id={group.id}>
            <Header className={styles.tag ?? ''}>
              {group.id} <span>{group.operations.length}</span>
            </Header>
            <Collection items={group.operations}>
              {(operation) => (
                <ListBoxItem
                  id={operation.id}
                  textValue={`${operation.id} ${operation.summary}`}
                  className={styles.item ?? ''}
                >
                  <Method name={operation.method} />
                  <span className={styles.words}>
                    <code>{operation.path.replace(/^\/v1/, '')}</code>
                    <span title={operation.summary}>{operation.summary}</span>
                  </span>
                </ListBoxItem>
              )}
            </Collection>
          </ListBoxSection>
        )}
      </ListBox>
      <Credential actor={actor} />
    </section>
  )
}

function groupsOf(operations: readonly Operation[]): readonly { id: string; operations: readonly Operation[] }[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return tags.map((id) => ({ id, operations: operations.filter(({ tag }) => tag === id) }))
}
