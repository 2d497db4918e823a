import { useLingui } from '@lingui/react/macro'
import styles from './Help.module.css'

/** Every key that does something, by where it does. */
export function Shortcuts() {
  const { t } = useLingui()
  const groups = [
    {
      name: t`Anywhere`,
      keys: [
        { keys: ['Ctrl K', '⌘ K'], does: t`Go to a stream, a mosaic, a user, a page or a time` },
        { keys: ['?'], does: t`Show these shortcuts` },
      ],
    },
    {
      name: t`In the player`,
      keys: [
        { keys: ['Space', 'K'], does: t`Play or pause` },
        { keys: ['J', '←'], does: t`Back 10 seconds` },
        { keys: ['→'], does: t`Forward 10 seconds` },
        { keys: ['L'], does: t`Play, then faster` },
        { keys: [','], does: t`Previous frame` },
        { keys: ['.'], does: t`Next frame` },
        { keys: ['['], does: t`Previous fragment` },
        { keys: [']'], does: t`Next fragment` },
        { keys: ['{'], does: t`Previous event` },
        { keys: ['}'], does: t`Next event` },
        { keys: ['I'], does: t`Mark in` },
        { keys: ['O'], does: t`Mark out` },
        { keys: ['R'], does: t`Loop the selection` },
        { keys: ['B'], does: t`Keep the moment as a bookmark` },
        { keys: ['1', '…', '7'], does: t`Speed from 0.25× to 16×` },
        { keys: ['M'], does: t`Sound on or off` },
        { keys: ['F'], does: t`Full screen` },
      ],
    },
    {
      name: t`On the timeline`,
      keys: [
        { keys: ['←', '→'], does: t`Move by 10 seconds` },
        { keys: ['Shift ←', 'Shift →'], does: t`Move by a minute` },
        { keys: ['Page Up', 'Page Down'], does: t`Move by a quarter of what is shown` },
        { keys: ['Home', 'End'], does: t`To the start or the end of what is shown` },
        { keys: ['+', '−'], does: t`Zoom in or out` },
        { keys: ['Shift + drag'], does: t`Select a stretch` },
      ],
    },
    {
      name: t`In all streams`,
      keys: [
        { keys: ['↑', '↓', '←', '→'], does: t`Move from camera to camera` },
        { keys: ['Space', 'Shift Space'], does: t`Choose the camera, or all up to it` },
        { keys: ['Esc'], does: t`Clear the choice` },
        { keys: ['Enter'], does: t`Open the camera, or add what was typed to the search` },
      ],
    },
  ]
  return groups.map(({ name, keys }) => (
    <section key={name} className={styles.group}>
      <h3>{name}</h3>
      <dl className={styles.keys}>
        {keys.map(({ keys: pressed, does }) => (
          <div key={does}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
