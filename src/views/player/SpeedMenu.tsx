import { useLingui } from '@lingui/react/macro'
import { Gauge } from 'lucide-react'
import { formatNumber } from '../../i18n/formats.ts'
import { speeds } from '../../machines/player/speeds.ts'
import { Menu, MenuChoice } from '../ui/Menu.tsx'
import styles from './SpeedMenu.module.css'

interface SpeedMenuProps {
  rate: number
  onChoose: (rate: number) => void
  variant?: 'plain' | 'overlay'
}

/** The name of the button contains the current speed (docs/behaviour.md §16). */
export function SpeedMenu({ rate, onChoose, variant = 'plain' }: SpeedMenuProps) {
  const { t } = useLingui()
  const words = (speed: number) => `${speed < 0 ? '−' : ''}${formatNumber(Math.abs(speed))}×`
  const current = words(rate)
  return (
    <Menu
      label={t`Speed ${current}`}
      variant={variant}
      placement="top start"
      trigger={
        <span className={styles.speed} data-variant={variant}>
          <Gauge size={16} aria-hidden="true" />
          {current}
        </span>
      }
    >
      <MenuChoice
        title={t`Speed`}
        isTitleShown={false}
        options={speeds.map((speed) => ({ id: String(speed), label: words(speed) }))}
        chosen={String(rate)}
        onChoose={(id) => onChoose(Number(id))}
      />
    </Menu>
  )
}
