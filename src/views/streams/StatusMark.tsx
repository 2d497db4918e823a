import { CircleDashed, CircleHelp, CirclePause, CirclePlay, TriangleAlert, Zap } from 'lucide-react'
import { useStatusWord } from './stream-words.tsx'
import styles from './StatusMark.module.css'

export function StatusMark({ status, id }: { status: string; id?: string }) {
  const word = useStatusWord()
  return (
    <span className={styles.mark} data-status={status} id={id}>
      <Shape status={status} />
      {word(status)}
    </span>
  )
}

function Shape({ status }: { status: string }) {
  switch (status) {
    case 'running':
      return <CirclePlay size={16} aria-hidden="true" />
    case 'pending':
      return <CircleDashed size={16} aria-hidden="true" />
    case 'idle':
      return <Zap size={16} aria-hidden="true" />
    case 'paused':
      return <CirclePause size={16} aria-hidden="true" />
    case 'failed':
      return <TriangleAlert size={16} aria-hidden="true" />
    default:
      return <CircleHelp size={16} aria-hidden="true" />
  }
}
