//! What a file's columns are in a setting, for people to check.

use crate::data::date::{DatePart, categories};
use crate::data::missing::Filling;
use crate::data::schema::{ColumnSchema, ColumnType, FileSchema, Kind};
use crate::data::{CategoryEncoding, Features, Frame, RawColumn, Values};

impl Frame {
    /// The schema with the columns `labels` as labels.
    pub fn schema(&self, labels: &[&str], features: &Features) -> FileSchema {
        let column = |column: &RawColumn| {
            let kind = if labels.contains(&column.name.as_str()) {
                Kind::Label
            } else if features.exclude.contains(&column.name) {
                Kind::Excluded
            } else {
                column.kind
            };
            let is_feature = matches!(kind, Kind::Number | Kind::Category | Kind::Date);
            let is_doubtful = is_feature || kind == Kind::Identifier;
            ColumnSchema {
                name: column.name.clone(),
                kind,
                declared: column.is_declared && kind == column.kind,
                doubtful: column.doubt.is_some() && is_doubtful,
                levels: column.levels(),
                missing: column.missing,
                examples: column.examples.clone(),
                feature_columns: if is_feature { features.feature_columns(column) } else { 0 },
            }
        };
        let columns = self.columns.iter().map(column).collect();
        FileSchema { settings: Vec::new(), columns }
    }
}

impl RawColumn {
    /// The number of distinct values of a column of categories.
    fn levels(&self) -> Option<usize> {
        match self.values.as_deref() {
            Ok(Values::Categorical { levels, .. }) => Some(levels.len() - usize::from(self.missing > 0)),
            _ => None,
        }
    }
}

impl Features {
    /// How many columns of the encoded table a column becomes, if every level occurs in training.
    fn feature_columns(&self, column: &RawColumn) -> usize {
        let is_filled = column.missing > 0;
        let indicator = usize::from(is_filled && self.missing.of(&column.name) == Filling::Indicator);
        let of_levels = |levels: usize| match self.categorical {
            CategoryEncoding::OneHot => levels + usize::from(is_filled),
            CategoryEncoding::Ordinal => 1,
        };
        let of_part = |part: &DatePart| categories(*part).map_or(1 + indicator, |names| of_levels(names.len()));
        match (column.levels(), self.types.get(&column.name)) {
            (Some(levels), _) => of_levels(levels),
            (None, Some(ColumnType::Date(options))) => options.parts.iter().map(of_part).sum(),
            (None, _) => 1 + indicator,
        }
    }
}
