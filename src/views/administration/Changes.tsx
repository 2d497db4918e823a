import { useLingui } from '@lingui/react/macro'
import type { Change } from '../../machines/administration/configuration-values.ts'
import { type SchemaField, shown } from '../../machines/administration/schema-fields.ts'
import styles from './Configuration.module.css'

/** A diff of two states, a setting a row; of secrets only that they differ. */
export function Changes({ changes, fields }: { changes: readonly Change[]; fields: readonly SchemaField[] }) {
  const { t } = useLingui()
  return (
    <ul className={styles.changes}>
      {changes.map(({ path, before, after }) => {
        const field = fields.find((one) => one.path === path)
        const textOf = (value: unknown) => {
          if (shown(value) === '') return <i>{t`empty`}</i>
          return field?.isSecret ? '•••' : shown(value)
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
