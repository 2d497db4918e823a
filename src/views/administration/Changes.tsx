import { useLingui } from '@lingui/react/macro'
import type { Change } from '../../machines/administration/configuration-values.ts'
import { type SchemaField, formatField } from '../../machines/administration/schema-fields.ts'
import styles from './Configuration.module.css'

/** The old and the new value of each changed setting; values of secrets are hidden. */
export function Changes({ changes, fields }: { changes: readonly Change[]; fields: readonly SchemaField[] }) {
  const { t } = useLingui()
  return (
    <ul className={styles.changes}>
      {changes.map(({ path, before, after }) => {
        const field = fields.find((other) => other.path === path)
        const textOf = (value: unknown) => {
          if (formatField(value) === '') return <i>{t`empty`}</i>
          return field?.isSecret ? '•••' : formatField(value)
        }
        return (
          <li key={path}>
            <span>
              {field?.title ?? path} <code>{path}</code>
            </span>
            <del>{textOf(before)}</del>
            <ins>{textOf(after)}</ins>
          </li>
        )
      })}
    </ul>
  )
}
