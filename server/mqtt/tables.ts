/** `node_id`: whose outbox it is. `retained`: of a state, which a newer one replaces. `ended`: 0 for none. */
export const mqttSteps: readonly string[] = [
  `CREATE TABLE mqtt_deliveries (
    id TEXT PRIMARY KEY,
    node_id TEXT NOT NULL, topic TEXT NOT NULL, payload TEXT NOT NULL, retained INTEGER NOT NULL,
    created INTEGER NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL, ended INTEGER NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX mqtt_deliveries_created ON mqtt_deliveries (created, id);
  CREATE INDEX mqtt_deliveries_waiting ON mqtt_deliveries (node_id) WHERE status = 'waiting';`,
]
