/** The forms in which we keep a file. */
export type Encoding = 'br' | 'gzip' | 'identity'

/**
 * Chooses an encoding by the weights in Accept-Encoding; between equals, the first of `available`. A client
 * that accepts none of them gets the plain file, which is more useful than an error.
 */
export function chooseEncoding(header: string | undefined, available: Encoding[]): Encoding {
  const weights = readWeights(header ?? '')
  let best: Encoding = 'identity'
  let bestWeight = 0
  for (const encoding of available) {
    // A client that does not name the plain file accepts it, but prefers everything it names.
    const unnamed = encoding === 'identity' ? 0.0001 : 0
    const weight = weights.get(encoding) ?? weights.get('*') ?? unnamed
    if (weight > bestWeight) {
      best = encoding
      bestWeight = weight
    }
  }
  return best
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    // "x-gzip" is gzip's old name.
    if (name) weights.set(name === 'x-gzip' ? 'gzip' : name, Number.isNaN(weight) ? 0 : weight)
  }
  return weights
}
