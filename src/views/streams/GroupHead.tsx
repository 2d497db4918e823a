import { Plural, useLingui } from '@lingui/react/macro'
import type { Section } from '../../machines/streams/grouping.ts'
import styles from './GroupHead.module.css'

/** The heading of a group: its tag, and how many streams carry it. */
export function GroupHead({ section: { kind, tag, count } }: { section: Section }) {
  const { t } = useLingui()
  return (
    <span className={styles.head}>
      <h2>{kind === 'untagged' ? t`untagged` : tag}</h2>
      <span className={styles.count}>
        <Plural value={count} one="# stream" other="# streams" />
      </span>
    </span>
  )
}
