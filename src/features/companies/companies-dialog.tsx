import { counted } from '#domain/counted.ts'
import { companyBulkFields } from '#domain/fields/companies.ts'
import { withOwnChanges } from '#domain/fields/own-values.ts'
import { companyBulkSchema } from '#domain/fields/record-forms.ts'
import { tagsAfter } from '#domain/tags.ts'
import { MergeDialog } from '#features/duplicates/index.ts'
import { SetFieldDialog } from '#features/own-fields/index.ts'
import { TagsDialog } from '#features/tags/index.ts'
import { type ChosenCompanies, useUpdateCompanies } from './queries.ts'

/** An open dialog with the companies that were selected when it was opened. */
export type OpenDialog = { kind: 'field' | 'tags' | 'merge'; chosen: ChosenCompanies }

type CompaniesDialogProps = OpenDialog & {
  onClose: () => void
  onMerged: (gone: string[]) => void
}

/** A dialog for what is done to several companies. */
export function CompaniesDialog({ kind, chosen, onClose, onMerged }: CompaniesDialogProps) {
  const update = useUpdateCompanies()
  if (kind === 'merge') {
    return (
      <MergeDialog
        kind="companies"
        ids={chosen.filter.ids ?? []}
        onClose={onClose}
        onMerged={(_keep, gone) => onMerged(gone)}
      />
    )
  }
  if (kind === 'tags') {
    return (
      <TagsDialog
        what={counted(chosen.count, 'company', 'companies')}
        onSet={(change) =>
          update({
            ...chosen,
            changes: change,
            shown: ({ tags }) => ({ tags: tagsAfter(tags, change) }),
          })
        }
        onClose={onClose}
      />
    )
  }
  return (
    <SetFieldDialog
      record="companies"
      count={chosen.count}
      onSet={(custom) =>
        update({
          ...chosen,
          changes: { custom },
          shown: (company) => ({ custom: withOwnChanges(company.custom, custom) }),
        })
      }
      beside={{
        fields: companyBulkFields,
        onSet: (typed) => {
          const changes = companyBulkSchema().parse(typed)
          return update({ ...chosen, changes, shown: changes })
        },
      }}
      onClose={onClose}
    />
  )
}
