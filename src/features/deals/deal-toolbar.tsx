import { Box, Button } from '@mantine/core'
import { IconPlus, IconSettings } from '@tabler/icons-react'
import { useState } from 'react'
import { dealColumns, dealFields, dealSorts, usualDealColumns } from '#domain/fields/deals.ts'
import { columnLabels, sortOptions } from '#domain/fields/list.ts'
import { ownKey, ownKeys } from '#domain/fields/own.ts'
import { useCompanyName } from '#features/companies/index.ts'
import { useContactName } from '#features/contacts/index.ts'
import { FilesMenu } from '#features/exports/index.ts'
import { ownChips } from '#features/fields/index.ts'
import { FieldDialog, useOwnUrl } from '#features/own-fields/index.ts'
import type { Pipeline } from '#features/pipelines/index.ts'
import { SavedViewsMenu, useViewName } from '#features/saved-views/index.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import { useUrlChoices, writeUrlState } from '#lib/url-state.ts'
import { ColumnMenu } from '#ui/column-menu.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { FilterPopover, ListToolbar } from '#ui/list-toolbar.tsx'
import { SortMenu } from '#ui/sort-menu.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import { ViewSwitch } from '#ui/view-switch.tsx'
import { filterChips } from './deal-chips.ts'
import {
  allDeals,
  boardPipeline,
  type DealUrlState,
  dealUrl,
  dealUrlSchema,
  dealView,
  mostFirst,
} from './deal-view.ts'
import { exportChoices } from './export-choices.ts'
import { useExportDeals } from './use-export-deals.ts'

const DealFilters = lazyPart(async () => (await import('./deal-filters.tsx')).DealFilters, {
  name: 'The filter',
})

const PipelineChoice = lazyPart(
  async () => (await import('./pipeline-choice.tsx')).PipelineChoice,
  { name: 'The choice of a pipeline' },
)

type DealToolbarProps = {
  /** Opens a saved view. */
  onOpen: (query: string) => void
  pipelines: Pipeline[]
  onPipelines: () => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** Search, filters, columns, order and views of the deals, as a list or as a board. */
export function DealToolbar(props: DealToolbarProps) {
  const { onOpen, pipelines, onPipelines } = props
  const { own, schema } = useOwnUrl('deals', dealUrl)
  const { state, setState: onChange } = useUrlChoices(schema)
  const [isAdding, setIsAdding] = useState(false)
  const fields = { ...dealFields, ...own }
  const ownFilter = {
    own,
    conditions: state.field,
    onChange: (field: string[]) => onChange({ field }, { isTyping: true }),
  }
  const names = { company: useCompanyName(state.company), contact: useContactName(state.contact) }
  const chips = [...filterChips(state, onChange, names, pipelines), ...ownChips(ownFilter)]
  const isBoard = state.view === 'board'
  return (
    <>
      <ListToolbar
        placeholder="Search deals..."
        search={state.q}
        onSearch={(q) => onChange({ q }, { isTyping: true })}
        chips={chips}
        onShowAll={() => onChange(allDeals)}
        more={
          <>
            <ViewSwitch
              aria-label="Show as"
              views={[
                { value: 'list', label: 'List' },
                { value: 'board', label: 'Board' },
              ]}
              value={state.view}
              onChange={(view) => onChange({ view })}
            />
            {isBoard && (
              // Its place is there before its code.
              <Box w={170} mih="var(--solo-control-height)">
                <PipelineChoice
                  pipelines={pipelines}
                  chosen={boardPipeline(pipelines, state)?.id ?? null}
                  onChoose={(id) => onChange({ pipeline: id ?? undefined })}
                />
              </Box>
            )}
            {!isBoard && (
              <>
                <Box visibleFrom="sm">
                  <ColumnMenu
                    columns={columnLabels(fields, [...dealColumns, ...ownKeys(own)])}
                    onAdd={() => setIsAdding(true)}
                    shown={state.col}
                    onChange={(col) => onChange({ col })}
                    usual={usualDealColumns}
                  />
                </Box>
                <SortMenu
                  options={sortOptions(fields, [...dealSorts, ...ownKeys(own)])}
                  sort={state.sort}
                  direction={directionOf(state, mostFirst)}
                  onSort={(sort, direction) =>
                    onChange({ sort, dir: directionInUrl(sort, direction, mostFirst) })
                  }
                />
              </>
            )}
            <SavedViewsMenu
              screen="deals"
              query={writeUrlState(dealUrlSchema, state).toString()}
              onOpen={onOpen}
            />
            <ExportMenu state={state} />
            <Button
              variant="default"
              leftSection={<IconSettings {...icon} />}
              onClick={onPipelines}
            >
              Pipelines
            </Button>
          </>
        }
      >
        <FilterPopover
          count={chips.length}
          onClear={() => onChange({ ...allDeals, q: state.q })}
          part={DealFilters}
        >
          <DealFilters
            state={state}
            onChange={onChange}
            names={names}
            pipelines={pipelines}
            ownFilter={ownFilter}
          />
        </FilterPopover>
      </ListToolbar>
      {isAdding && (
        <FieldDialog
          record="deals"
          onMade={(id) => onChange(({ col }) => ({ col: [...col, ownKey(id)] }))}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  )
}

function ExportMenu({ state }: { state: DealUrlState }) {
  const { isExporting, exportDeals } = useExportDeals()
  return (
    <FilesMenu
      isExporting={isExporting}
      choices={exportChoices(state.view === 'list' ? state.col : null, (fields) =>
        exportDeals(dealView(state), fields),
      )}
    />
  )
}

type DealViewBadgeProps = { state: DealUrlState; isFiltered: boolean }

/** The name of the saved view, 'Filtered deals' or 'All deals'. */
export function DealViewBadge({ state, isFiltered }: DealViewBadgeProps) {
  const name = useViewName('deals', writeUrlState(dealUrlSchema, state).toString())
  return (
    <Box maw={240}>
      <TintBadge color="gray" isAsTyped>
        {name ?? (isFiltered ? 'Filtered deals' : 'All deals')}
      </TintBadge>
    </Box>
  )
}

type CreateDealButtonProps = {
  onClick: () => void
  onPointerEnter: () => void
  onFocus: () => void
}

export function CreateDealButton(props: CreateDealButtonProps) {
  return (
    <Button leftSection={<IconPlus {...icon} />} {...props}>
      Create Deal
    </Button>
  )
}
