import { useLingui } from '@lingui/react/macro'
import { type Member, membersOf, typeOf } from '../../machines/api-documentation/example.ts'
import type { JsonSchema } from '../../machines/api-documentation/operations.ts'
import styles from './SchemaMembers.module.css'

export function SchemaMembers({ schema, label }: { schema: JsonSchema; label: string }) {
  const members = membersOf(schema)
  if (members.length === 0) return <p className={styles.type}>{typeOf(schema)}</p>
  return (
    <details className={styles.schema}>
      <summary>{label}</summary>
      <Members members={members} />
    </details>
  )
}

function Members({ members }: { members: readonly Member[] }) {
  const { t } = useLingui()
  return (
    <ul className={styles.members}>
      {members.map(({ name, type, description, isRequired, members: inner }) => (
        <li key={name}>
          <code className={styles.name}>{name}</code> <span className={styles.type}>{type}</span>
          {isRequired && <span className={styles.required}>{t`required`}</span>}
          {description !== '' && <p className={styles.type}>{description}</p>}
          {inner.length > 0 && <Members members={inner} />}
        </li>
      ))}
    </ul>
  )
}
