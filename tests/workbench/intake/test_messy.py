"""The untidy tables of the reference folder open as their list says, or get their sentence."""

import gzip
import io
import json

import numpy as np
import pandas as pd
import pytest

from workbench.dataset import default_features, prepare
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.table import DataError

# What the list says of files that hold no table.
SENTENCES = {
    "46_header_only.csv": "no rows",
    "47_empty.csv": "is empty (0 bytes)",
}
# What is said of others, word for word where a person has to know it.
SAID = {
    "09_spotify_top2000_bom.csv": "The comma stands between thousands in Length (Duration)",
    "10_mice_protein_semicolon_decimal_comma.csv": "Numbers have a decimal comma.",
    "12_barcelona_listings_latin1.csv": "Read as Windows-1252 (cp1252), since it is not UTF-8.",
    "14_noaa_anomalies_preface.csv": "4 lines before the table skipped",
    "15_stocks_currency_percent.csv": "The sign $ is read past in Last Sale: 1,500 cells.",
    "18_bike_commute_empty_columns.csv": "Dropped 4 empty columns without a name.",
    "19_breast_cancer_trailing_comma.csv": "Dropped 1 empty column without a name.",
    "21_seeds_headerless_bom.csv": "No line of names, so columns are named f1 to f8.",
    "22_german_credit_headerless_spaces.txt": "Cells are parted by spaces.",
    "23_hypothyroid_question_marks.data": "No line of names, so columns are named f1 to f26.",
    "25_leukemia_genes_in_rows.csv": "Rows look like features",
    "26_natural_gas_dashes.csv": "-- is read as missing",
    "32_seattle_weather_sparse_flags.csv": "Dropped 2 empty columns: Sleet and High Winds.",
    "37_mall_customers_question_marks.csv": "? is read as missing",
    "40_excel_named_as_csv.csv": "An Excel workbook, in spite of its name.",
    "43_infinities.csv": "#DIV/0! is read as missing in y: 1 cell.",
    "44_ragged_rows.csv": "Line 8 has 4 values instead of 3 and is left out: shown below.",
    "50_duplicate_and_blank_headers.csv": "Blank or repeated column names were changed",
    "52_comment_lines.csv": "4 lines of comment skipped",
}  # fmt: skip
QUIET = {"01_mall_customers.csv", "06_country_indicators.csv", "29_data_survey_tuple_headers.csv"}


def expected(data_dir):
    return {e["file"]: e for e in json.loads((data_dir / "messy" / "expected.json").read_text())}


def read(data_dir, file, **reading):
    return read_table((data_dir / "messy" / file).read_bytes(), file, Reading(**reading))


@pytest.mark.data
def test_untidy_files_have_the_rows_and_columns_that_are_right(data_dir):
    for file, right in expected(data_dir).items():
        if file in SENTENCES:
            with pytest.raises(DataError) as caught:
                read(data_dir, file)
            assert SENTENCES[file] in str(caught.value)
            continue
        table = read(data_dir, file, keep_empty=True)
        if right["rows"] is not None:
            assert table.frame.shape == (right["rows"], right["columns"]), file
        assert table.frame.columns.is_unique


@pytest.mark.data
def test_untidy_files_offer_the_features_and_have_the_gaps_that_are_right(data_dir):
    for file, right in expected(data_dir).items():
        if right["rows"] is None or file in SENTENCES:
            continue
        table = read(data_dir, file)
        try:
            features = list(default_features(table))
        except DataError:
            features = []
        assert len(features) == right["n_numeric"], file
        assert features == (right["numeric"] or features), file
        gaps = sum(int(np.isnan(table.numbers[name].values).sum()) for name in features)
        assert gaps == right["missing_numeric_cells"], file


@pytest.mark.data
def test_the_reference_sets_read_to_the_last_digit(data_dir):
    payload = (data_dir / "sets" / "mice_protein_missing.csv.gz").read_bytes()
    dataset = prepare(read_table(payload, "mice.csv.gz"), Preparation(scaling="none"))
    plain = pd.read_csv(io.BytesIO(gzip.decompress(payload)))
    assert dataset.X.shape == (1080, 77)
    assert int(np.isnan(dataset.X).sum()) == 1396
    assert (np.isnan(dataset.X) | (plain.drop(columns="label").to_numpy() == dataset.X)).all()


@pytest.mark.data
def test_untidy_files_are_said_to_be_what_they_are(data_dir):
    for file in expected(data_dir):
        if file in SENTENCES:
            continue
        table = read(data_dir, file)
        said = " ".join(repair.sentence for repair in (*table.repairs, *table.column_repairs))
        assert SAID.get(file, "") in said, file
        if file in QUIET:
            assert not table.repairs, file


@pytest.mark.data
def test_names_are_those_of_the_file(data_dir):
    assert list(read(data_dir, "52_comment_lines.csv").frame)[2] == "background"
    assert list(read(data_dir, "09_spotify_top2000_bom.csv").frame)[0] == "Index"
    assert "('P0', 'id')" in read(data_dir, "29_data_survey_tuple_headers.csv").frame
    assert "Sant Martí" in read(data_dir, "12_barcelona_listings_latin1.csv").frame.to_numpy()
