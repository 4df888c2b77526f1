import { isRecord } from '#src/domain/is-record.ts'

const PLACE = ['longitude', 'latitude', 'altitude'] as const

/**
 * A feature of GeoJSON (RFC 7946 §3.2): its properties, whose names are columns of their own, so that one called `name`
 * is the name of the item; then what it has besides, a point as numbers, another geometry as JSON. Undefined: it is none.
 */
export function featureParts(
  value: Record<string, unknown>,
): [properties: Record<string, unknown>, others: Record<string, unknown>] | undefined {
  const { type, properties, geometry, ...others } = value
  if (type !== 'Feature' || geometry === undefined) return undefined
  if (!isRecord(properties) && properties !== null) return undefined
  return [properties ?? {}, { ...others, ...placeOf(geometry) }]
}

function placeOf(geometry: unknown): Record<string, unknown> {
  if (geometry === null) return {}
  const { type, coordinates } = geometry as { type?: unknown; coordinates?: unknown }
  const isPoint =
    type === 'Point' &&
    Array.isArray(coordinates) &&
    coordinates.length >= 2 &&
    coordinates.length <= PLACE.length &&
    coordinates.every((each) => typeof each === 'number')
  if (!isPoint) return { geometry: JSON.stringify(geometry) }
  return Object.fromEntries(coordinates.map((each, i) => [PLACE[i]!, each]))
}
