import type { TimeRange } from '../../api/contract/time-range.ts'
import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { ChartSpline, ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import type { SystemStats } from '../../api/contract/system.ts'
import { formatMoment } from '../../i18n/formats.ts'
import type { MeasuredSeries } from '../../machines/administration/administration.machines.ts'
import {
  type StatsQuery,
  type StatsSpan,
  canZoomIn,
  canZoomOut,
  moveShare,
  moved,
  zoomStep,
  zoomed,
} from '../../machines/administration/stats-span.ts'
import type { statisticsMachine } from '../../machines/administration/statistics.machine.ts'
import type { Node } from '../../machines/stream-pages/nodes.machine.ts'
import { useApp } from '../app/console.ts'
import { useNodes } from '../stream-pages/use-nodes.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { Segments } from '../ui/Segments.tsx'
import { StatePanel } from '../ui/State.tsx'
import { Chart } from './Chart.tsx'
import { Gauges } from './Gauges.tsx'
import { DeletedStreamRecordings } from './DeletedStreamRecordings.tsx'
import { RetentionPanel } from './RetentionPanel.tsx'
import { knownCharts } from './series-words.ts'
import styles from './Statistics.module.css'

const selectGauges = ({ context }: SnapshotFrom<typeof statisticsMachine>) => context.gauges
const selectRecordings = ({ context }: SnapshotFrom<typeof statisticsMachine>) => context.recordings
const selectRetention = ({ context }: SnapshotFrom<typeof statisticsMachine>) => context.retention
const selectNodes = ({ context }: SnapshotFrom<typeof statisticsMachine>) => context.nodes
const selectSeries = ({ context }: SnapshotFrom<typeof statisticsMachine>) => context.series

export function StatisticsPage({ actor }: { actor: ActorRefFrom<typeof statisticsMachine> }) {
  const { t } = useLingui()
  const gauges = useSelector(actor, selectGauges)
  const series = useSelector(actor, selectSeries)
  const recordings = useSelector(actor, selectRecordings)
  const retention = useSelector(actor, selectRetention)
  const current = useSelector(gauges, ({ context }) => context)
  const { value, apiError, query } = useSelector(series, ({ context }) => context)
  const nodes = useNodes(useSelector(actor, selectNodes))
  const { nodeId } = useApp(selectSettings)
  /** The gauges are those of the node that answers: of another node, the sizes of memory and disk are unknown. */
  const nodeStats = query.node === '' || query.node === nodeId ? current.value : null
  const [lastLive, setLastLive] = useState<StatsSpan>(query.kind === 'last' ? query : { kind: 'last', hours: 6 })
  const show = (span: StatsSpan) => {
    if (query.kind === 'last') setLastLive(query)
    series.send({ type: 'query.changed', query: { ...span, node: query.node } })
  }
  const goBack = () => {
    if (query.kind === 'between') show(lastLive)
  }
  return (
    <Page
      title={t`Statistics`}
      actions={
        nodes === null ? undefined : (
          <NodeField
            nodes={nodes}
            query={query}
            onChoose={(node) => series.send({ type: 'query.changed', query: { ...query, node } })}
          />
        )
      }
    >
      <Resource
        value={current.value}
        apiError={current.apiError}
        onRetry={() => gauges.send({ type: 'resource.retried' })}
      >
        {(stats) => <Gauges {...stats} />}
      </Resource>
      <Resource value={value} apiError={apiError} onRetry={() => series.send({ type: 'resource.retried' })}>
        {(measured) => (
          <>
            <Spans span={query} measured={measured} onShow={show} onBack={goBack} />
            {measured.series.length === 0 ? (
              <StatePanel icon={<ChartSpline size={20} />} title={t`No data`}>
                <Trans>
                  The server measures four times a minute and keeps a week of data. There is none for this period.
                </Trans>
              </StatePanel>
            ) : (
              <Charts measured={measured} span={query} stats={nodeStats} onShow={show} onBack={goBack} />
            )}
          </>
        )}
      </Resource>
      {retention !== null && <RetentionPanel actor={retention} />}
      {recordings !== null && <DeletedStreamRecordings actor={recordings} />}
    </Page>
  )
}

interface NodeFieldProps {
  nodes: readonly Node[]
  query: StatsQuery
  onChoose: (node: string) => void
}

/** The node whose charts are shown. A node that the address names is offered even if it was removed. */
function NodeField({ nodes, query: { node }, onChoose }: NodeFieldProps) {
  const { t } = useLingui()
  const known = nodes.map(({ id, name }) => ({ value: id, label: name || id }))
  const options = known.some(({ value }) => value === node) ? known : [{ value: node, label: node }, ...known]
  return <SelectField label={t`Charts of node`} options={options} value={node} onChange={onChoose} />
}

const shownRange = (span: StatsSpan, { from, to }: TimeRange): TimeRange =>
  span.kind === 'last' ? { from, to } : { from: span.from, to: span.to }

interface SpansProps {
  span: StatsSpan
  measured: MeasuredSeries
  onShow: (span: StatsSpan) => void
  onBack: () => void
}

function Spans({ span, measured, onShow, onBack }: SpansProps) {
  const { t } = useLingui()
  const range = shownRange(span, measured)
  const { from, to } = range
  const latest = Math.max(measured.to, to)
  const middle = (from + to) / 2
  return (
    <div className={styles.spans}>
      <Segments
        label={t`Period`}
        options={[
          { id: '1', label: t`1 hour` },
          { id: '6', label: t`6 hours` },
          { id: '24', label: t`24 hours` },
          { id: '168', label: t`7 days` },
        ]}
        chosen={span.kind === 'last' ? String(span.hours) : ''}
        onChoose={(hours) => onShow({ kind: 'last', hours: Number(hours) })}
      />
      <span className={styles.tools}>
        <IconButton
          label={t`Earlier`}
          icon={<ChevronLeft size={16} />}
          onPress={() => onShow(moved(range, -moveShare, latest))}
        />
        <IconButton
          label={t`Later`}
          icon={<ChevronRight size={16} />}
          disabled={span.kind === 'last'}
          onPress={() => onShow(moved(range, moveShare, latest))}
        />
        <IconButton
          label={t`Zoom in`}
          icon={<ZoomIn size={16} />}
          disabled={!canZoomIn(range)}
          onPress={() => onShow(zoomed(range, 1 / zoomStep, middle, latest))}
        />
        <IconButton
          label={t`Zoom out`}
          icon={<ZoomOut size={16} />}
          disabled={!canZoomOut(range)}
          onPress={() => onShow(zoomed(range, zoomStep, middle, latest))}
        />
      </span>
      <p className={styles.range}>
        {formatMoment(from)} – {formatMoment(to)}
        {span.kind === 'last' && <span className={styles.live}>{t`Live`}</span>}
      </p>
      {span.kind === 'between' && <Button variant="quiet" onClick={onBack}>{t`Back to live`}</Button>}
    </div>
  )
}

interface ChartsProps extends SpansProps {
  stats: SystemStats | null
}

const helpId = 'charts-help'

function Charts({ measured, span, stats, onShow, onBack }: ChartsProps) {
  const { t } = useLingui()
  const [cursor, setCursor] = useState<number | null>(null)
  const range = shownRange(span, measured)
  const byName = new Map(measured.series.map((series) => [series.name, series]))
  const known = knownCharts.flatMap(({ title, lines }) => {
    const found = lines.flatMap(({ series, label, tone }) => {
      const one = byName.get(series)
      return one === undefined ? [] : [{ id: series, label: t(label), tone, points: one.points, unit: one.unit }]
    })
    return found.length === 0 ? [] : [{ title: t(title), lines: found, unit: found[0]?.unit ?? '' }]
  })
  const names = new Set(knownCharts.flatMap(({ lines }) => lines.map(({ series }) => series)))
  const others = measured.series
    .filter(({ name }) => !names.has(name))
    .map(({ name, unit, points }) => ({
      title: name,
      unit,
      lines: [{ id: name, label: name, tone: 'first' as const, points }],
    }))
  const wholes: Readonly<Record<string, number | undefined>> = {
    CPU: 100,
    Memory: stats?.memoryTotalBytes,
    Disk: stats?.disk.totalBytes,
  }
  return (
    <>
      <div className={styles.charts}>
        {[...known, ...others].map(({ title, unit, lines }) => (
          <Chart
            key={title}
            title={title}
            unit={unit}
            lines={lines}
            whole={wholes[lines[0]?.id ?? ''] || null}
            range={range}
            latest={Math.max(measured.to, range.to)}
            sharedCursor={cursor}
            helpId={helpId}
            onCursor={setCursor}
            onSpan={onShow}
            onBack={onBack}
          />
        ))}
      </div>
      <p id={helpId} className={styles.help}>
        <Trans>
          Drag across a chart to select a period; double-click or press Esc to go back. The wheel zooms while Ctrl is
          held or the chart has the focus. Keys: arrows move the cursor, + and − zoom, Page Up and Page Down move the
          period.
        </Trans>
      </p>
    </>
  )
}
