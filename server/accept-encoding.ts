/** The forms in which we keep a file. */
export type Encoding = 'br' | 'gzip' | 'identity'

/**
 * Chooses what to send by the weights in Accept-Encoding; between equals, the first of `available`. A
 * client that names only others gets the plain file: more use to it than an error.
 */
export function chooseEncoding(header: string | undefined, available: Encoding[]): Encoding {
  const weights = readWeights(header ?? '')
  let best: Encoding = 'identity'
  let bestWeight = 0
  for (const encoding of available) {
    // Unnamed, the plain file is always welcome, but less than anything asked for.
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
