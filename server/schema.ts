import { accessSteps } from './access/tables.ts'
import { statisticsSteps } from './administration/samples.ts'
import { retentionSteps } from './archive/retention/recorded-hours.ts'
import { alertSteps } from './alerts/tables.ts'
import { archiveSteps } from './archive/repair/tables.ts'
import { auditSteps } from './audit/tables.ts'
import { bookmarksSteps } from './bookmarks/bookmarks.ts'
import { clusterSteps } from './cluster/tables.ts'
import { configurationSteps } from './configuration/configuration.ts'
import { exportSteps } from './exports/tables.ts'
import { licenseSteps } from './license/license.ts'
import { motionSteps } from './motion/tables.ts'
import { mqttSteps } from './mqtt/tables.ts'
import { mosaicsSteps } from './mosaics/mosaics.ts'
import { plansSteps } from './plans/tables.ts'
import type { Schema } from './store/migration.ts'
import { streamsSteps } from './streams/tables.ts'
import { oidcSteps } from './oidc/tables.ts'
import { recoverySteps } from './users/reset-codes.ts'
import { usersSteps } from './users/tables.ts'

/**
 * The steps that create the tables of each concern, after the concerns whose tables they refer to. A test compares the
 * result with the database of a server.
 */
export const schema: Schema = new Map([
  ['users', usersSteps],
  ['streams', streamsSteps],
  ['access', accessSteps],
  ['oidc', oidcSteps],
  ['exports', exportSteps],
  ['configuration', configurationSteps],
  ['licence', licenseSteps],
  ['audit', auditSteps],
  ['cluster', clusterSteps],
  ['statistics', statisticsSteps],
  ['recovery', recoverySteps],
  ['mosaics', mosaicsSteps],
  ['plans', plansSteps],
  ['bookmarks', bookmarksSteps],
  ['archive', archiveSteps],
  ['motion', motionSteps],
  ['retention', retentionSteps],
  ['alerts', alertSteps],
  ['mqtt', mqttSteps],
])
