import markUrl from './product-mark.svg'

type ProductMarkProps = { size: number }

/** Decoration beside the product's name, so it has no text of its own. */
export function ProductMark({ size }: ProductMarkProps) {
  return <img src={markUrl} width={size} height={size} alt="" />
}
