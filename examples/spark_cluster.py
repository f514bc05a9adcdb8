"""Compare two predictors in Parquet files on Spark.

python examples/spark_cluster.py                                      # makes its own rows, here
spark-submit examples/spark_cluster.py s3a://bucket/rows --master yarn

The files have the columns ``label`` (0 or 1), ``a`` and ``b`` (scores). Spark needs Java.
"""

import argparse
import tempfile

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, randn

import rocstats as rs


def write_rows(spark: SparkSession, folder: str, n_rows: int = 20_000) -> str:
    """Write small files with fixed seeds and return their folder."""
    rows = spark.range(n_rows, numPartitions=4).select((col("id") % 2).alias("label"))
    shared = col("label") + randn(1)
    rows = rows.withColumn("shared", shared)
    rows = rows.withColumn("a", col("shared") + 0.5 * randn(2))
    rows = rows.withColumn("b", col("shared") + randn(3))
    rows.drop("shared").write.mode("overwrite").parquet(folder)
    return folder


def compare(spark: SparkSession, folder: str) -> None:
    """Print areas and their difference; only counts and sums leave the executors."""
    rows = spark.read.parquet(folder)
    pairs = rs.count_paired(rows, "label", ["a", "b"])
    print(pairs)
    print(rs.brief(pairs.auc()).to_string())
    print(rs.brief(pairs.compare_auc()).to_string())


def main() -> None:
    """Run on the master that is named, or on two threads of this machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", help="Parquet files; small ones are made without it")
    parser.add_argument("--master", default="local[2]", help="address of the Spark master")
    asked = parser.parse_args()
    builder = SparkSession.builder.appName("rocstats").master(asked.master)
    # A shuffle of counts is small: 200 tasks, the default, would each have next to nothing.
    spark = builder.config("spark.sql.shuffle.partitions", 8).getOrCreate()
    try:
        with tempfile.TemporaryDirectory() as folder:
            compare(spark, asked.folder or write_rows(spark, f"{folder}/rows"))
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
