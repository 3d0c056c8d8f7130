package org.apache.lucene.search;

/** Sparse form: Lucene makes 2,048 buckets for each query, of which few are ever used. */
public final class LazyBuckets {
    private LazyBuckets() {}

    /** In the place of a bucket that the table is filled with. */
    static BooleanScorer.Bucket none() {
        return null;
    }

    /** In the place of reading the table. */
    static BooleanScorer.Bucket bucket(BooleanScorer.Bucket[] buckets, int i) {
        BooleanScorer.Bucket bucket = buckets[i];
        if (bucket == null) {
            buckets[i] = bucket = new BooleanScorer.Bucket();
        }
        return bucket;
    }
}
