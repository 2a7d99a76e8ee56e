import markUrl from './product-mark.svg'

type ProductMarkProps = { size: number }

/** The logo beside the product's name; decoration without alternative text. */
export function ProductMark({ size }: ProductMarkProps) {
  return <img src={markUrl} width={size} height={size} alt="" />
}
