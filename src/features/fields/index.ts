export { FieldDetails } from './field-details.tsx'
export { FieldInputs } from './field-inputs.tsx'
