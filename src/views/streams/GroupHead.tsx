import { Plural, useLingui } from '@lingui/react/macro'
import type { Section } from '../../machines/streams/grouping.ts'
import styles from './GroupHead.module.css'

export function GroupHead({ section: { kind, tag, count }, isWhole }: { section: Section; isWhole: boolean }) {
  const { t } = useLingui()
  const name = kind === 'untagged' ? t`untagged` : tag
  return (
    <span className={styles.head}>
      <h2 title={name}>{name}</h2>
      <span className={styles.count}>
        {isWhole ? (
          <Plural value={count} one="# stream" other="# streams" />
        ) : (
          <Plural value={count} one="# stream so far" other="# streams so far" />
        )}
      </span>
    </span>
  )
}
